import { z } from 'zod';
import { AppName, appOf, RequestedApp } from '../apps/apps.ts';
import { changeOf } from '../change.ts';
import { ArgumentsText, Id, Name, OptionalId, text } from '../fields.ts';
import { fieldError } from '../messages/field-errors.ts';
import { needs, whenField } from '../rules.ts';
import { surveyProblems } from '../survey/survey-rules.ts';
import { NewSurveyVariable, SurveyVariable } from '../survey/survey-variable.ts';
import { ApprovalRule } from './approval.ts';
import { ExecutionEnvironment } from './execution-environment.ts';
import { TemplateLabels } from './label.ts';
import { Locks, lockProblem } from './lock.ts';
import { CheckoutPath } from './resources.ts';
import { Retention } from './retention.ts';
import { Duration, Prompts, RunOptions, Vault, vaultsOf } from './run-options.ts';
import { Task, TemplateType } from './task.ts';

export const Template = z.object({
  id: Id,
  project_id: Id,
  name: z.string(),
  description: z.string(),
  app: AppName.describe('The app that runs its tasks.'),
  type: TemplateType,
  playbook: z.string(),
  inventory_id: Id.nullable().describe('Id of the inventory; null for an app without inventories.'),
  environment_id: Id,
  repository_id: Id,
  vault_key_id: Id.nullable(),
  vaults: z.array(Vault).describe('Passwords of vaults that have an id.'),
  view_id: Id.nullable(),
  restricted: z.boolean(),
  approval: ApprovalRule.describe('Who must approve a task before it starts.'),
  labels: z.array(Id).describe('Ids of its labels, in ascending order.'),
  start_version: z.string().nullable(),
  build_template_id: Id.nullable(),
  autorun: z.boolean(),
  suppress_success_alerts: z.boolean(),
  arguments: z.string(),
  options: RunOptions.describe('The options of its runs. A task may have others as far as `prompts` permits.'),
  prompts: Prompts.describe('What a user may change when starting a task.'),
  allow_override_args_in_task: z.boolean(),
  allow_parallel_tasks: z.boolean(),
  locks: z
    .array(z.string())
    .describe('Names of locks that its tasks take; of tasks with the same lock in a project, one runs at a time.'),
  lock_hosts: z.boolean().describe('Whether its tasks lock the hosts of their runs.'),
  execution_environment: ExecutionEnvironment.nullable().describe(
    'Where the programs of its runs come from; null for that of the project.',
  ),
  max_duration: z.int(),
  ...Retention,
  survey_vars: z.array(SurveyVariable),
  lost_at_import: z
    .array(z.string())
    .describe(
      'Fields that an import could not keep. While there are any, only users start tasks; saving the template clears them.',
    ),
  last_task_id: Id.nullable(),
  last_task: Task.nullable(),
});
export type Template = z.infer<typeof Template>;

const NEEDS_INVENTORY = needs({ inventory_id: { type: 'integer', minimum: 1 } });

/** Templates of an app with inventories need one, also those that name no app. */
const INVENTORY_RULES = AppName.options.every((name) => appOf(name).features.inventory)
  ? [NEEDS_INVENTORY]
  : AppName.options
      .filter((name) => appOf(name).features.inventory)
      .map((name) => whenField('app', name, NEEDS_INVENTORY));

export const NewTemplate = z
  .object({
    name: Name,
    description: text(4096).default(''),
    app: RequestedApp,
    type: TemplateType.default(''),
    playbook: CheckoutPath,
    inventory_id: OptionalId.default(null).describe(
      'Id of the inventory, which every app with inventories needs; null or 0 for an app without.',
    ),
    environment_id: OptionalId.default(null).describe(
      'Id of the environment; null or 0 for one without variables, which is named Empty and made when there is none.',
    ),
    repository_id: Id,
    vault_key_id: OptionalId.default(null).describe('Id of the key with the password of vaults without an id.'),
    vaults: vaultsOf(Vault).default([]).describe('Passwords of vaults that have an id.'),
    view_id: OptionalId.default(null),
    restricted: z
      .boolean()
      .default(false)
      .describe('Whether only owners and those with a grant see, run and edit it. Only owners change this.'),
    approval: ApprovalRule.default('none').describe(
      'Who must approve a task before it starts: no user, any user with the right, or a user other than the one who started it. Only users with the right can weaken the rule.',
    ),
    labels: TemplateLabels.default([]).describe('Ids of its labels. A change replaces all.'),
    start_version: text(64).trim().nullable().default(null),
    build_template_id: OptionalId.default(null),
    autorun: z.boolean().default(false),
    suppress_success_alerts: z.boolean().default(false),
    arguments: ArgumentsText.default('[]'),
    options: RunOptions.default(() => RunOptions.parse({})).describe('The options of its runs. A change replaces all.'),
    prompts: Prompts.default(() => Prompts.parse({})).describe(
      'What a user may change when starting a task. A change replaces all.',
    ),
    allow_override_args_in_task: z.boolean().default(false),
    allow_parallel_tasks: z.boolean().default(false),
    locks: Locks.default([]).describe(
      'Names of locks that its tasks take. `{{ variable }}` in a name stands for the answer to a variable of the survey that is no secret.',
    ),
    lock_hosts: z
      .boolean()
      .default(false)
      .describe(
        'Whether its tasks lock the hosts of their runs: of the tasks with the same host in a project, one runs at a time.',
      ),
    execution_environment: ExecutionEnvironment.nullable()
      .default(null)
      .describe('Where the programs of its runs come from; null for that of the project.'),
    max_duration: Duration.default(0).describe('Seconds after which a run is stopped; 0 means no limit.'),
    keep_tasks_days: Retention.keep_tasks_days.default(null),
    keep_logs_days: Retention.keep_logs_days.default(null),
    keep_tasks_min: Retention.keep_tasks_min.default(null),
    survey_vars: z.array(NewSurveyVariable).max(200).default([]),
  })
  .refine((t) => !appOf(t.app).features.inventory || t.inventory_id !== null, {
    path: ['inventory_id'],
    ...fieldError('field.required'),
  })
  .refine((t) => t.type !== 'build' || (t.start_version ?? '') !== '', {
    path: ['start_version'],
    ...fieldError('field.required'),
  })
  .refine((t) => t.type !== 'build' || /\d/.test(t.start_version ?? ''), {
    path: ['start_version'],
    ...fieldError('field.number_needed'),
  })
  .refine((t) => t.type !== 'deploy' || t.build_template_id !== null, {
    path: ['build_template_id'],
    ...fieldError('field.required'),
  })
  .refine((t) => new Set(t.survey_vars.map((v) => v.name)).size === t.survey_vars.length, {
    path: ['survey_vars'],
    ...fieldError('field.variable_twice'),
  })
  .superRefine((t, { addIssue }) => {
    const wrong = lockProblem(t.locks, t.survey_vars as SurveyVariable[]);
    if (wrong) addIssue({ code: 'custom', message: wrong[1].code, params: wrong[1].params, path: ['locks', wrong[0]] });
    for (const [path, { code, params }] of surveyProblems(t.survey_vars as SurveyVariable[]))
      addIssue({
        code: 'custom',
        message: code,
        ...(params ? { params } : {}),
        path: ['survey_vars', ...path.split('.')],
      });
  })
  .meta({
    openapiRules: [
      ...INVENTORY_RULES,
      whenField('type', 'build', needs({ start_version: { type: 'string', pattern: '[0-9]' } })),
      whenField('type', 'deploy', needs({ build_template_id: { type: 'integer', minimum: 1 } })),
    ],
  });

export const TemplateChange = changeOf(NewTemplate.shape);
