import type {
  AppName,
  ApprovalRule,
  BodyInput,
  ExecutionEnvironment,
  RouteTable,
  Template,
  TemplateType,
} from '@signalbox/contract';
import type { PageApp } from '../../../apps/page-app.ts';
import { jsonProblem } from '../../../ui/forms/code-problem.ts';
import { isMinutesText, minutesText, secondsOf } from '../../../ui/forms/number-text.ts';
import {
  type OptionFields,
  optionProblems,
  optionsBody,
  type Rules,
  rulesBody,
  startOptionFields,
  startRules,
} from './options/option-rules.ts';
import type { VaultRow } from './options/vault-rows.tsx';
import type { SurveyRow } from './survey/survey-rows.ts';

/** Values of the form. Ids and numbers are texts, as inputs need them. */
export type TemplateValues = {
  name: string;
  description: string;
  app: AppName;
  type: TemplateType;
  playbook: string;
  inventory_id: string | null;
  environment_id: string | null;
  repository_id: string | null;
  vault_key_id: string | null;
  vaults: VaultRow[];
  view_id: string | null;
  labels: string[];
  start_version: string;
  build_template_id: string | null;
  autorun: boolean;
  suppress_success_alerts: boolean;
  arguments: string;
  options: OptionFields;
  prompts: Rules;
  allow_override_args_in_task: boolean;
  restricted: boolean;
  approval: ApprovalRule;
  allow_parallel_tasks: boolean;
  locks: string[];
  lock_hosts: boolean;
  execution_environment: ExecutionEnvironment | null;
  /** Minutes; empty means no limit. */
  max_minutes: string;
  keep_tasks_days: string;
  keep_logs_days: string;
  keep_tasks_min: string;
  survey_vars: SurveyRow[];
};

const text = (value: number | null | undefined): string => (value == null ? '' : String(value));
const idText = (id: number | null | undefined): string | null => (id == null ? null : String(id));

export const newTemplateValues = (item: Template | undefined, view: number | undefined): TemplateValues => ({
  name: item?.name ?? '',
  description: item?.description ?? '',
  app: item?.app ?? 'ansible',
  type: item?.type ?? '',
  playbook: item?.playbook ?? '',
  inventory_id: idText(item?.inventory_id),
  environment_id: idText(item?.environment_id),
  repository_id: idText(item?.repository_id),
  vault_key_id: idText(item?.vault_key_id),
  vaults: (item?.vaults ?? []).map(({ name, vault_key_id }, key) => ({
    key,
    name,
    vault_key_id: idText(vault_key_id),
  })),
  view_id: idText(item ? item.view_id : view),
  labels: (item?.labels ?? []).map(String),
  start_version: item?.start_version ?? '',
  build_template_id: idText(item?.build_template_id),
  autorun: item?.autorun ?? false,
  suppress_success_alerts: item?.suppress_success_alerts ?? false,
  arguments: item && item.arguments !== '[]' ? item.arguments : '',
  options: startOptionFields(item),
  prompts: startRules(item),
  allow_override_args_in_task: item?.allow_override_args_in_task ?? false,
  restricted: item?.restricted ?? false,
  approval: item?.approval ?? 'none',
  allow_parallel_tasks: item?.allow_parallel_tasks ?? false,
  locks: item?.locks ?? [],
  lock_hosts: item?.lock_hosts ?? false,
  execution_environment: item?.execution_environment ?? null,
  max_minutes: minutesText(item?.max_duration ?? 0),
  keep_tasks_days: text(item?.keep_tasks_days),
  keep_logs_days: text(item?.keep_logs_days),
  keep_tasks_min: text(item?.keep_tasks_min),
  survey_vars: (item?.survey_vars ?? []).map((variable, key) => ({ ...variable, key })),
});

const wholeNumber = (value: string): string | undefined =>
  value.trim() === '' || /^\d+$/.test(value.trim()) ? undefined : 'form.wholeNumber';

const surveyProblem = (rows: readonly SurveyRow[]): string | undefined => {
  const names = rows.map(({ name }) => name.trim());
  if (names.some((name) => name === '')) return 'survey.nameRequired';
  return new Set(names).size === names.length ? undefined : 'survey.nameTwice';
};

const vaultProblems = (rows: readonly VaultRow[]): Record<string, string> =>
  Object.fromEntries(
    rows.flatMap(({ name, vault_key_id }, index) => [
      ...(name.trim() === '' ? [[`vaults.${index}.name`, 'optionRules.vaultIdRequired'] as const] : []),
      ...(vault_key_id === null ? [[`vaults.${index}.vault_key_id`, 'optionRules.vaultKeyRequired'] as const] : []),
    ]),
  );

/** Keys of the messages for what is wrong, by field, in the order of the form. */
export const templateProblems = (
  values: TemplateValues,
  { file, features }: PageApp,
): Record<string, string | undefined> => ({
  name: values.name.trim() === '' ? 'form.nameRequired' : undefined,
  start_version:
    values.type === 'build' && values.start_version.trim() === '' ? 'templateForm.startVersionRequired' : undefined,
  build_template_id:
    values.type === 'deploy' && values.build_template_id === null ? 'templateForm.buildTemplateRequired' : undefined,
  playbook: values.playbook.trim() === '' ? file.required : undefined,
  inventory_id: features.inventory && values.inventory_id === null ? 'templateForm.inventoryRequired' : undefined,
  repository_id: values.repository_id === null ? 'templateForm.repositoryRequired' : undefined,
  environment_id: values.environment_id === null ? 'templateForm.environmentRequired' : undefined,
  arguments: jsonProblem(values.arguments, 'array')?.key,
  max_minutes: isMinutesText(values.max_minutes) ? undefined : 'templateForm.minutes',
  keep_tasks_days: wholeNumber(values.keep_tasks_days),
  keep_logs_days: wholeNumber(values.keep_logs_days),
  keep_tasks_min: wholeNumber(values.keep_tasks_min),
  survey_vars: surveyProblem(values.survey_vars),
  ...vaultProblems(values.vaults),
  ...optionProblems(values.options, values.prompts),
});

const number = (value: string): number | null => (value.trim() === '' ? null : Number(value));
const idOf = (value: string | null): number | null => (value === null ? null : Number(value));

/** The body of the request for valid values. Fields that the type does not have are cleared. */
export const templateBody = (values: TemplateValues): BodyInput<RouteTable['createTemplate']> => ({
  name: values.name.trim(),
  description: values.description.trim(),
  app: values.app,
  type: values.type,
  playbook: values.playbook.trim(),
  inventory_id: idOf(values.inventory_id),
  environment_id: Number(values.environment_id),
  repository_id: Number(values.repository_id),
  vault_key_id: idOf(values.vault_key_id),
  vaults: values.vaults.map(({ name, vault_key_id }) => ({ name: name.trim(), vault_key_id: Number(vault_key_id) })),
  view_id: idOf(values.view_id),
  labels: values.labels.map(Number),
  start_version: values.type === 'build' ? values.start_version.trim() : null,
  build_template_id: values.type === 'deploy' ? idOf(values.build_template_id) : null,
  autorun: values.type === 'deploy' && values.autorun,
  suppress_success_alerts: values.suppress_success_alerts,
  arguments: values.arguments.trim() === '' ? '[]' : values.arguments,
  options: optionsBody(values.options),
  prompts: rulesBody(values.prompts),
  allow_override_args_in_task: values.allow_override_args_in_task,
  restricted: values.restricted,
  approval: values.approval,
  allow_parallel_tasks: values.allow_parallel_tasks,
  locks: values.locks,
  lock_hosts: values.lock_hosts,
  execution_environment: values.execution_environment,
  max_duration: secondsOf(values.max_minutes),
  keep_tasks_days: number(values.keep_tasks_days),
  keep_logs_days: number(values.keep_logs_days),
  keep_tasks_min: number(values.keep_tasks_min),
  survey_vars: values.survey_vars.map(({ key: _key, ...variable }) => ({ ...variable, name: variable.name.trim() })),
});
