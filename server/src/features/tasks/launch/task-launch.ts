import { appOf, DEBUG_VERBOSITY, type EventMessage, type FieldMessage } from '@signalbox/contract';
import type { Selectable } from 'kysely';
import type { LimitColumns } from '../../../access/access.ts';
import { type Actor, recordEvent } from '../../../audit/record-event.ts';
import type { StateTransaction } from '../../../database/database.ts';
import type { TemplateTable } from '../../../database/schema.ts';
import { type EnvironmentRules, environmentOfTask } from '../../../execution-environments.ts';
import { ApiError, badField } from '../../../http/errors/api-error.ts';
import { checkTogether } from '../../../http/errors/check-together.ts';
import { enqueue } from '../../../outbox/outbox.store.ts';
import { needsOf } from '../../../runner-needs.ts';
import type { MasterKey } from '../../../secrets/master-key.ts';
import { surveyOf } from '../../../stored-answers/survey.ts';
import type { TaskRow } from '../task-transition.ts';
import { checkFreeze } from './freeze-check.ts';
import { withinGrants } from './granted-launch.ts';
import { branchOf, type LaunchOptions, launchOptions } from './launch-options.ts';
import { storeSecretAnswers } from './secret-answers.ts';
import { checkTagSets } from './tag-sets.ts';
import { locksOfTask, storeLocks } from './task-locks.ts';
import { type LaunchRequest, withParameters } from './task-parameters.ts';
import { checkAnswers } from './task-survey.ts';
import { versionOf } from './task-version.ts';

type Template = Selectable<TemplateTable>;
type Request = LaunchRequest;

export interface Launch {
  readonly projectId: number;
  readonly request: Request;
  readonly actor: Actor;
  /** See `permitsOverride` of calls. */
  readonly mayOverride: boolean;
  /** The grants that permit the launch; undefined if the role of the caller does. */
  readonly grants?: readonly LimitColumns[] | undefined;
  /** The user who caused a start without a user: that of the build which starts a deploy. */
  readonly causedBy?: number | null;
  /** Ids of the templates that the caller must not see. */
  readonly hidden?: ReadonlySet<number>;
  readonly now: Date;
  /** Name of the schedule that starts the task. */
  readonly scheduleName?: string;
  readonly scheduleId?: number;
  /** The webhook that starts the task. */
  readonly webhook?: { readonly id: number; readonly name: string };
  /** The task of the same schedule that must end before this one starts. */
  readonly afterTaskId?: number | null;
  /** Which execution environments are allowed. */
  readonly environments: EnvironmentRules;
  /** Encrypts the secret answers of the request. A request without answers needs none. */
  readonly master?: MasterKey;
}

/** Counting the launch first locks the template, so that two launches never get the same version. */
const lockTemplate = (tx: StateTransaction, projectId: number, templateId: number): Promise<Template | undefined> =>
  tx
    .updateTable('template')
    .set((eb) => ({ launches: eb('launches', '+', 1) }))
    .where('id', '=', templateId)
    .where('project_id', '=', projectId)
    .returningAll()
    .executeTakeFirst();

/** A commit that this template has run before may run again. Others need the right to change the template, or its prompt. */
const checkCommit = async (
  tx: StateTransaction,
  template: Template,
  commit: string | null | undefined,
  mayRunEvery: boolean,
): Promise<void> => {
  if (!commit || mayRunEvery) return;
  const ran = await tx
    .selectFrom('task')
    .select('id')
    .where('template_id', '=', template.id)
    .where('commit_hash', '=', commit)
    .limit(1)
    .executeTakeFirst();
  if (!ran) throw new ApiError('not_permitted.commit');
};

/** Refuses options that the app of the template does not have. */
const checkFeatures = ({ app }: Template, request: Request): void => {
  const { title, features } = appOf(app);
  const given = {
    limit: !features.limit && request.limit !== '',
    dry_run: !features.checkMode && request.dry_run === true,
    diff: !features.diff && request.diff === true,
    arguments: !features.arguments && request.arguments !== '[]',
    tags: !features.arguments && Boolean(request.tags?.length),
    skip_tags: !features.arguments && Boolean(request.skip_tags?.length),
    forks: !features.arguments && request.forks != null,
    inventory_id: !features.inventory && Boolean(request.inventory_id),
    vaults: !features.vault && Boolean(request.vaults?.length),
  };
  const refused = Object.entries(given).filter(([, isRefused]) => isRefused);
  const why: FieldMessage = { code: 'field.not_of_app', params: { app: title } };
  if (refused.length > 0) throw ApiError.ofFields(Object.fromEntries(refused.map(([name]) => [name, why])));
};

/** Refuses arguments that the template does not allow, and those that only users who can edit the template may give. */
const checkArguments = (template: Template, argumentsJson: string, mayOverride: boolean): void => {
  const args = JSON.parse(argumentsJson) as string[];
  if (args.length === 0) return;
  if (!template.allow_override_args_in_task) {
    throw badField('arguments', 'field.not_allowed');
  }
  const forEditors = mayOverride ? undefined : appOf(template.app).argumentForEditors(args);
  if (forEditors === undefined) return;
  throw new ApiError('not_permitted.argument', { argument: forEditors });
};

/**
 * Refuses to let schedules and webhooks start a template that lost a limit, tags or a branch when it was imported, because it
 * could run on other hosts.
 */
const checkImported = ({ lost_at_import }: Template, actor: Actor): void => {
  if (lost_at_import === '' || actor.userId !== null) return;
  throw new ApiError('conflict.template_lost_at_import', { what: lost_at_import.replaceAll(',', ', ') });
};

/** Refuses fields that would override settings of the template which have no prompt. */
const checkTemplateFields = (template: Template, request: Request): void => {
  for (const name of ['playbook', 'repository_id'] as const) {
    const value = request[name];
    if (value && value !== template[name]) throw badField(name, 'field.as_template', { value: template[name] });
  }
};

const flag = (value: boolean) => (value ? 1 : 0);

/** A task that needs an approval has not started yet. */
const startEvent = (
  { id, tpl_alias: template, freeze_window: window, freeze_reason: why, approval_state: approval }: TaskRow,
  { scheduleName: schedule, webhook }: Launch,
): EventMessage => {
  const verb = approval === 'pending' ? 'requested' : 'started';
  if (webhook) return { kind: `task.${verb}_by_webhook`, params: { id, template, webhook: webhook.name } };
  if (window !== '') return { kind: `task.${verb}_in_freeze`, params: { id, template, window, why } };
  if (schedule === undefined) return { kind: `task.${verb}`, params: { id, template } };
  return { kind: `task.${verb}_by_schedule`, params: { id, template, schedule } };
};

/**
 * Checks everything of a request that does not depend on the build and the commit.
 * @throws bad_input or not_permitted when the request does not fit the template
 */
export const checkRequest = async (tx: StateTransaction, template: Template, given: Request, mayOverride: boolean) => {
  const request = withParameters(given);
  const { options, answers } = await checkTogether({
    features: () => checkFeatures(template, request),
    arguments: () => checkArguments(template, request.arguments, mayOverride),
    templateFields: () => checkTemplateFields(template, request),
    options: () => launchOptions(tx, template, given),
    answers: () => checkAnswers(surveyOf(template), request.environment, mayOverride),
  });
  return { request, options, answers };
};

/** What a task takes from its template and repository when it is claimed, unless it must run as it was approved. */
const fixedForApproval = async (
  tx: StateTransaction,
  template: Template,
  { git_branch, max_duration }: LaunchOptions,
): Promise<Partial<Pick<LaunchOptions, 'git_branch' | 'max_duration'>>> =>
  template.approval === 'none'
    ? {}
    : {
        git_branch: git_branch ?? (await branchOf(tx, template)),
        max_duration: max_duration ?? template.max_duration,
      };

/** The execution environment of a new task. @throws conflict.execution_environment */
const environmentOf = async (tx: StateTransaction, template: Template, rules: EnvironmentRules) => {
  const project = await tx
    .selectFrom('project')
    .select('execution_environment')
    .where('id', '=', template.project_id)
    .executeTakeFirstOrThrow();
  return environmentOfTask(rules, template, project);
};

/**
 * Stores a waiting task. Must run in a transaction, because version, row, template and event belong together.
 * @throws bad_input or not_permitted when the request does not fit the template
 */
export const launchTask = async (tx: StateTransaction, launch: Launch): Promise<TaskRow> => {
  const { projectId, actor, now } = launch;
  const stored = await lockTemplate(tx, projectId, launch.request.template_id);
  if (!stored) throw badField('template_id', 'field.not_of_project');
  checkImported(stored, actor);
  const { template, request: given } = withinGrants(stored, launch.request, launch.grants);
  const { request, options, answers } = await checkRequest(tx, template, given, launch.mayOverride);
  await checkCommit(tx, template, request.commit_hash, launch.mayOverride || options.permitsEveryCommit);
  const freeze = await checkFreeze(tx, launch, options.inventory_id);
  const environment = await environmentOf(tx, template, launch.environments);
  const needs = needsOf(options.runner_tags, environment);
  await checkTagSets(tx, template, needs);
  const { version, buildTaskId } = await versionOf(tx, template, request, launch.hidden);
  const locks = locksOfTask(template, answers.json);
  const task = await tx
    .insertInto('task')
    .values({
      project_id: projectId,
      template_id: template.id,
      app: template.app,
      user_id: actor.userId,
      status: 'waiting',
      message: request.message,
      version,
      tpl_type: template.type,
      tpl_alias: template.name,
      tpl_playbook: template.playbook,
      build_task_id: buildTaskId,
      arguments: request.arguments,
      environment: answers.json,
      limit_hosts: options.limit,
      tags: JSON.stringify(options.tags),
      skip_tags: JSON.stringify(options.skip_tags),
      verbosity: options.verbosity,
      forks: options.forks,
      inventory_id: options.inventory_id,
      environment_id: options.environment_id,
      git_branch: options.git_branch,
      vaults: options.vaults && JSON.stringify(options.vaults),
      max_duration: options.max_duration,
      runner_tags: JSON.stringify(needs),
      execution_environment: JSON.stringify(environment),
      priority: options.priority,
      locks: JSON.stringify(locks),
      lock_hosts: template.lock_hosts,
      wanted_commit: request.commit_hash ?? null,
      debug: flag(options.verbosity >= DEBUG_VERBOSITY),
      dry_run: flag(options.dry_run),
      diff: flag(options.diff),
      schedule_name: launch.scheduleName ?? '',
      schedule_id: launch.scheduleId ?? null,
      token_name: actor.token?.name ?? '',
      webhook_name: launch.webhook?.name ?? '',
      webhook_id: launch.webhook?.id ?? null,
      ...freeze,
      ...(await fixedForApproval(tx, template, options)),
      approval: template.approval,
      approval_state: template.approval === 'none' ? 'none' : 'pending',
      approval_starter: actor.userId ?? launch.causedBy ?? null,
      after_task_id: launch.afterTaskId ?? null,
      created: now.toISOString(),
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  if (task.approval_state === 'pending')
    await enqueue(tx, 'approval_alert', [{ task_id: task.id, project_id: projectId, created: task.created }]);
  await storeLocks(tx, task, locks);
  await storeSecretAnswers(tx, launch.master, task.id, answers.secrets);
  await tx.updateTable('template').set({ last_task_id: task.id }).where('id', '=', template.id).execute();
  await recordEvent(tx, {
    actor,
    projectId,
    objectType: 'task',
    objectId: task.id,
    objectName: template.name,
    ...startEvent(task, launch),
    at: now,
  });
  return task;
};
