import { z } from 'zod';
import { changeOf } from '../change.ts';
import { Id, IdText, Moment, Name, text } from '../fields.ts';
import { fieldError } from '../messages/field-errors.ts';
import { Param } from '../messages/message.ts';
import { Language } from './alert.ts';
import { ExecutionEnvironment } from './execution-environment.ts';
import { Retention } from './retention.ts';
import { RunnerTags } from './runner-tags.ts';

export const Project = z.object({
  id: Id,
  name: z.string(),
  alert: z.boolean(),
  alert_chat: z.string(),
  alert_language: Language,
  alert_silent_hosts: z
    .boolean()
    .describe('Whether alerts are sent about hosts that do not answer far longer than usual.'),
  collect_facts: z.boolean().describe('Whether facts that playbooks gather are kept for the pages of hosts.'),
  ...Retention,
  max_parallel_tasks: z.int(),
  runner_tags: z
    .array(z.string())
    .describe('Its tasks and queries only go to runners with all of these tags, in addition to the tags of a task.'),
  execution_environment: ExecutionEnvironment.nullable().describe(
    'The execution environment of templates that set none; null for the default of the system.',
  ),
  created: Moment,
});
export type Project = z.infer<typeof Project>;

export const NewProject = z.object({
  name: Name,
  alert: z.boolean().default(false),
  alert_chat: text(255).default(''),
  alert_language: Language.default('en'),
  alert_silent_hosts: z
    .boolean()
    .default(false)
    .describe('Whether alerts are sent about hosts that do not answer far longer than usual.'),
  collect_facts: z
    .boolean()
    .default(true)
    .describe('Whether facts that playbooks gather are kept for the pages of hosts.'),
  keep_tasks_days: Retention.keep_tasks_days.default(null),
  keep_logs_days: Retention.keep_logs_days.default(null),
  keep_tasks_min: Retention.keep_tasks_min.default(null),
  max_parallel_tasks: z
    .int(fieldError('field.integer'))
    .min(0, fieldError('field.negative'))
    .max(10_000)
    .default(0)
    .describe('0 means no limit.'),
  runner_tags: RunnerTags.default([]).describe(
    'Tags that a runner needs for the tasks and queries of the project. Only admins change them.',
  ),
  execution_environment: ExecutionEnvironment.nullable()
    .default(null)
    .describe('The execution environment of templates that set none; null for the default of the system.'),
  demo: z.boolean().default(false).describe('Also creates demo keys, a repository, inventories and templates.'),
});

export const ProjectChange = changeOf(NewProject.omit({ demo: true }).shape);

export const View = z.object({
  id: Id,
  project_id: Id,
  title: z.string(),
  position: z.int(),
  restricted: z.boolean(),
});
export type View = z.infer<typeof View>;
const Position = z.int().min(0).max(10_000);
export const NewView = z.object({
  title: Name,
  position: Position.optional().describe('From 0. Default: after the last view.'),
  restricted: z
    .boolean()
    .default(false)
    .describe('Whether only owners and those with a grant see, run and edit its templates. Only owners change this.'),
});
export const ViewChange = changeOf(NewView.shape);
/** The position of each view by its id. */
export const ViewPositions = z.record(IdText, Position).meta({
  openapi: {
    type: 'object',
    propertyNames: { pattern: '^[1-9][0-9]{0,8}$' },
    additionalProperties: { type: 'integer', minimum: 0, maximum: 10_000, format: 'int32' },
  },
});

export const Event = z.object({
  id: Id,
  user_id: Id.nullable(),
  project_id: Id.nullable(),
  object_id: Id.nullable(),
  object_type: z.string(),
  kind: z
    .string()
    .describe('What happened, as a stable code such as `task.started`; `text` for entries of old versions.'),
  params: z
    .record(z.string(), Param)
    .describe('The values within the text, by name: texts, numbers, or messages with a code and values of their own.'),
  description: z.string().describe('What happened, in English.'),
  created: Moment,
  object_name: z.string(),
  project_name: z.string(),
  username: z.string(),
  token_name: z.string().describe('Name of the API token of the call, else empty.'),
});
export type Event = z.infer<typeof Event>;
