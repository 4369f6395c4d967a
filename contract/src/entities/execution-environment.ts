import { z } from 'zod';
import { text } from '../fields.ts';
import { fieldError } from '../messages/field-errors.ts';
import { needs } from '../rules.ts';
import { CheckoutPath } from './resources.ts';

/** Maximum number of characters of requirements that are no file of the repository. */
const MAX_REQUIREMENTS = 10_000;

const SystemEnvironment = z.object({
  kind: z.literal('system').describe('The programs that are installed on the runner.'),
});

const VirtualEnvironment = z
  .object({
    kind: z.literal('virtual').describe('A Python virtual environment, which the runner builds from requirements.'),
    requirements: text(MAX_REQUIREMENTS)
      .default('')
      .describe(
        'Python requirements as in a `requirements.txt`, such as `ansible-core==2.19.1`. Empty if `requirements_file` is set.',
      ),
    requirements_file: z
      .union([z.literal(''), CheckoutPath])
      .default('')
      .describe('Path of a file with Python requirements in the repository, in addition to `requirements`; or empty.'),
  })
  .refine(({ requirements, requirements_file }) => requirements.trim() !== '' || requirements_file !== '', {
    path: ['requirements'],
    ...fieldError('field.required'),
  })
  .meta({
    openapiRules: [
      {
        anyOf: [
          needs({ requirements: { type: 'string', pattern: '\\S' } }),
          needs({ requirements_file: { type: 'string', minLength: 1 } }),
        ],
      },
    ],
  });

/** Where the programs of a run come from. It is no environment of variables. */
export const ExecutionEnvironment = z.discriminatedUnion('kind', [SystemEnvironment, VirtualEnvironment]);
export type ExecutionEnvironment = z.output<typeof ExecutionEnvironment>;

/** The kinds of execution environments. */
export const EnvironmentKind = z.enum(['system', 'virtual'] satisfies ExecutionEnvironment['kind'][]);
export type EnvironmentKind = z.infer<typeof EnvironmentKind>;

export const SYSTEM_ENVIRONMENT: ExecutionEnvironment = { kind: 'system' };

/** A kind that a runner can provide, and the program with which it does. Servers ignore kinds that they do not know. */
export const ProvidedEnvironment = z.object({
  kind: z.string().max(100).describe('The kind of the execution environments.'),
  program: z.string().max(100).describe('The program that makes them, such as `uv`; empty if none is needed.'),
  version: z.string().max(200).describe('Version of that program; empty if it is unknown.'),
});
export type ProvidedEnvironment = z.infer<typeof ProvidedEnvironment>;

/** What a runner provides that announces nothing. */
export const ONLY_SYSTEM: readonly ProvidedEnvironment[] = [{ kind: 'system', program: '', version: '' }];
