import { appOf, type NewTemplate, type Task, type Template } from '@signalbox/contract';
import type { Selectable } from 'kysely';
import type { z } from 'zod';
import { recordCreated } from '../../audit/object-event.ts';
import type { Actor } from '../../audit/record-event.ts';
import type { StateTransaction } from '../../database/database.ts';
import type { TemplateTable } from '../../database/schema.ts';

/** A template from a request, with its environment. */
export type TemplateInput = z.output<typeof NewTemplate> & { readonly environment_id: number };

const flag = (value: boolean): 0 | 1 => (value ? 1 : 0);

export const presentTemplate = (row: Selectable<TemplateTable>, lastTask: Task | null): Template => ({
  id: row.id,
  project_id: row.project_id,
  name: row.name,
  description: row.description,
  app: row.app,
  type: row.type,
  playbook: row.playbook,
  inventory_id: row.inventory_id,
  environment_id: row.environment_id,
  repository_id: row.repository_id,
  vault_key_id: row.vault_key_id,
  view_id: row.view_id,
  start_version: row.start_version,
  build_template_id: row.build_template_id,
  autorun: row.autorun === 1,
  suppress_success_alerts: row.suppress_success_alerts === 1,
  arguments: row.arguments,
  allow_override_args_in_task: row.allow_override_args_in_task === 1,
  allow_parallel_tasks: row.allow_parallel_tasks === 1,
  max_duration: row.max_duration,
  keep_tasks_days: row.keep_tasks_days,
  keep_logs_days: row.keep_logs_days,
  keep_tasks_min: row.keep_tasks_min,
  survey_vars: JSON.parse(row.survey_vars) as Template['survey_vars'],
  lost_at_import: row.lost_at_import === '' ? [] : row.lost_at_import.split(','),
  last_task_id: row.last_task_id,
  last_task: lastTask,
});

/** The columns of a requested template. Fields of another type or app are not stored, so that they don't return when the type or app changes. */
export const templateColumns = (input: TemplateInput, { features } = appOf(input.app)) => ({
  name: input.name,
  description: input.description,
  app: input.app,
  type: input.type,
  playbook: input.playbook,
  inventory_id: features.inventory ? input.inventory_id : null,
  environment_id: input.environment_id,
  repository_id: input.repository_id,
  vault_key_id: features.vault ? input.vault_key_id : null,
  view_id: input.view_id,
  start_version: input.type === 'build' ? input.start_version : null,
  build_template_id: input.type === 'deploy' ? input.build_template_id : null,
  autorun: flag(input.type === 'deploy' && input.autorun),
  suppress_success_alerts: flag(input.suppress_success_alerts),
  arguments: input.arguments,
  allow_override_args_in_task: flag(input.allow_override_args_in_task),
  allow_parallel_tasks: flag(input.allow_parallel_tasks),
  max_duration: input.max_duration,
  keep_tasks_days: input.keep_tasks_days,
  keep_logs_days: input.keep_logs_days,
  keep_tasks_min: input.keep_tasks_min,
  survey_vars: JSON.stringify(input.survey_vars),
});

export const insertTemplate = async (
  tx: StateTransaction,
  projectId: number,
  input: TemplateInput,
  actor: Actor,
  now: Date,
  lostAtImport: readonly string[] = [],
): Promise<Template> => {
  const row = await tx
    .insertInto('template')
    .values({
      project_id: projectId,
      ...templateColumns(input),
      lost_at_import: lostAtImport.join(),
      last_task_id: null,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  await recordCreated(tx, 'template', row, actor, now);
  return presentTemplate(row, null);
};
