import { z } from 'zod';
import { changeOf } from '../change.ts';
import { EnvironmentVariablesText, Id, JsonObjectText, Name, text } from '../fields.ts';
import { fieldError } from '../messages/field-errors.ts';
import { needs, whenField } from '../rules.ts';

export const SecretVariableType = z.enum(['var', 'env']);
export type SecretVariableType = z.infer<typeof SecretVariableType>;

/** A secret variable without its value, which is never returned. */
export const SecretVariable = z.object({ id: Id, name: z.string(), type: SecretVariableType });
export type SecretVariable = z.infer<typeof SecretVariable>;

/** A name that is valid for both an Ansible variable and an environment variable. */
export const VariableName = text(255)
  .trim()
  .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, fieldError('field.variable_name'));

const NEW_SECRET = needs({
  name: { type: 'string' },
  type: { type: 'string' },
  secret: { type: 'string', minLength: 1 },
});
const OLD_SECRET = needs({ id: { type: 'integer' } });

/** A change of one secret variable. Default operation: update with an id, create without one. */
export const SecretVariableChange = z
  .object({
    id: Id.nullish(),
    name: VariableName.optional(),
    type: SecretVariableType.optional(),
    secret: text(65_536).optional().describe('The value. An update without a value keeps the stored one.'),
    operation: z.enum(['create', 'update', 'delete']).optional(),
  })
  .transform(({ id, operation, ...rest }) => ({
    ...rest,
    id: id ?? null,
    operation: operation ?? (id ? 'update' : 'create'),
  }))
  .refine((s) => s.operation === 'create' || s.id !== null, { path: ['id'], ...fieldError('field.required') })
  .refine((s) => s.operation !== 'create' || s.name !== undefined, { path: ['name'], ...fieldError('field.required') })
  .refine((s) => s.operation !== 'create' || s.type !== undefined, { path: ['type'], ...fieldError('field.required') })
  .refine((s) => s.operation !== 'create' || (s.secret ?? '') !== '', {
    path: ['secret'],
    ...fieldError('field.required'),
  })
  .meta({
    openapiRules: [
      whenField('operation', 'create', NEW_SECRET),
      whenField('operation', 'update', OLD_SECRET),
      whenField('operation', 'delete', OLD_SECRET),
      {
        if: { not: { properties: { operation: { type: 'string' } }, required: ['operation'] } },
        // biome-ignore lint/suspicious/noThenProperty: `then` is a keyword of JSON Schema
        then: { anyOf: [OLD_SECRET, NEW_SECRET] },
      },
    ],
  });
export type SecretVariableChange = z.output<typeof SecretVariableChange>;

export const Environment = z.object({
  id: Id,
  project_id: Id,
  name: z.string(),
  json: z.string(),
  env: z.string(),
  secrets: z.array(SecretVariable),
});
export type Environment = z.infer<typeof Environment>;

export const NewEnvironment = z.object({
  name: Name,
  json: JsonObjectText.default('{}').describe('JSON object as text: extra variables.'),
  env: EnvironmentVariablesText.default('{}').describe('JSON object as text: environment variables.'),
  secrets: z
    .array(SecretVariableChange)
    .max(200)
    .default([])
    .describe('Secret variables. A change keeps those that it does not contain.'),
});
export const EnvironmentChange = changeOf(NewEnvironment.shape);
