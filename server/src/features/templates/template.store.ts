import { appOf, type NewTemplate, type Task, type Template } from '@signalbox/contract';
import type { Selectable } from 'kysely';
import type { z } from 'zod';
import { recordCreated } from '../../audit/object-event.ts';
import type { Actor } from '../../audit/record-event.ts';
import type { StateTransaction } from '../../database/database.ts';
import type { TemplateTable } from '../../database/schema.ts';

/** A requested template whose environment is known. */
export type TemplateFacts = z.output<typeof NewTemplate> & { readonly environment_id: number };

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
export const templateColumns = (facts: TemplateFacts, { features } = appOf(facts.app)) => ({
  name: facts.name,
  description: facts.description,
  app: facts.app,
  type: facts.type,
  playbook: facts.playbook,
  inventory_id: features.inventory ? facts.inventory_id : null,
  environment_id: facts.environment_id,
  repository_id: facts.repository_id,
  vault_key_id: features.vault ? facts.vault_key_id : null,
  view_id: facts.view_id,
  start_version: facts.type === 'build' ? facts.start_version : null,
  build_template_id: facts.type === 'deploy' ? facts.build_template_id : null,
  autorun: flag(facts.type === 'deploy' && facts.autorun),
  suppress_success_alerts: flag(facts.suppress_success_alerts),
  arguments: facts.arguments,
  allow_override_args_in_task: flag(facts.allow_override_args_in_task),
  allow_parallel_tasks: flag(facts.allow_parallel_tasks),
  max_duration: facts.max_duration,
  keep_tasks_days: facts.keep_tasks_days,
  keep_logs_days: facts.keep_logs_days,
  keep_tasks_min: facts.keep_tasks_min,
  survey_vars: JSON.stringify(facts.survey_vars),
});

export const insertTemplate = async (
  tx: StateTransaction,
  projectId: number,
  facts: TemplateFacts,
  actor: Actor,
  now: Date,
  lostAtImport: readonly string[] = [],
): Promise<Template> => {
  const row = await tx
    .insertInto('template')
    .values({
      project_id: projectId,
      ...templateColumns(facts),
      lost_at_import: lostAtImport.join(),
      last_task_id: null,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  await recordCreated(tx, 'template', row, actor, now);
  return presentTemplate(row, null);
};
