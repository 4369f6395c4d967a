import { z } from 'zod';
import { changeOf } from '../change.ts';
import { ArgumentsText, Id, Name, text } from '../fields.ts';
import { CheckoutPath } from './resources.ts';
import { Task, TemplateType } from './task.ts';

export const SurveyVariable = z.object({
  name: text(255)
    .trim()
    .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'must be a variable name of letters, digits and underscores'),
  title: text(255).default(''),
  description: text(1024).default(''),
  type: z.enum(['', 'int']).default(''),
  required: z.boolean().default(false),
});
export type SurveyVariable = z.infer<typeof SurveyVariable>;

export const Template = z.object({
  id: Id,
  project_id: Id,
  name: z.string(),
  description: z.string(),
  type: TemplateType,
  playbook: z.string(),
  inventory_id: Id,
  environment_id: Id,
  repository_id: Id,
  vault_key_id: Id.nullable(),
  view_id: Id.nullable(),
  start_version: z.string().nullable(),
  build_template_id: Id.nullable(),
  autorun: z.boolean(),
  suppress_success_alerts: z.boolean(),
  arguments: z.string(),
  allow_override_args_in_task: z.boolean(),
  allow_parallel_tasks: z.boolean(),
  max_duration: z.int(),
  survey_vars: z.array(SurveyVariable),
  last_task_id: Id.nullable(),
  last_task: Task.nullable(),
});
export type Template = z.infer<typeof Template>;

export const NewTemplate = z
  .object({
    name: Name,
    description: text(4096).default(''),
    type: TemplateType.default(''),
    playbook: CheckoutPath,
    inventory_id: Id,
    environment_id: Id,
    repository_id: Id,
    vault_key_id: Id.nullable().default(null),
    view_id: Id.nullable().default(null),
    start_version: text(64).trim().nullable().default(null),
    build_template_id: Id.nullable().default(null),
    autorun: z.boolean().default(false),
    suppress_success_alerts: z.boolean().default(false),
    arguments: ArgumentsText.default('[]'),
    allow_override_args_in_task: z.boolean().default(false),
    allow_parallel_tasks: z.boolean().default(false),
    max_duration: z
      .int()
      .min(0)
      .max(31_536_000)
      .default(0)
      .describe('Seconds after which a run is stopped; 0 means no limit.'),
    survey_vars: z.array(SurveyVariable).max(200).default([]),
  })
  .refine((t) => t.type !== 'build' || (t.start_version ?? '') !== '', {
    path: ['start_version'],
    message: 'is required',
  })
  .refine((t) => t.type !== 'build' || /\d/.test(t.start_version ?? ''), {
    path: ['start_version'],
    message: 'must contain a number',
  })
  .refine((t) => t.type !== 'deploy' || t.build_template_id !== null, {
    path: ['build_template_id'],
    message: 'is required',
  })
  .refine((t) => new Set(t.survey_vars.map((v) => v.name)).size === t.survey_vars.length, {
    path: ['survey_vars'],
    message: 'must not name a variable twice',
  });

export const TemplateChange = changeOf(NewTemplate.shape);
