import { isFinal } from '@signalbox/contract';
import type { AuditExport } from '../audit/export/audit-export.ts';
import { approvalAlertHandler } from '../features/alerts/approval-alert.handler.ts';
import { hostHistoryHandler } from '../features/hosts/host-history.handler.ts';
import { type Metrics, makeMetrics } from '../features/operations/metrics.ts';
import { RetentionSweeper } from '../features/retention/retention-sweeper.ts';
import type { ScheduleEngine } from '../features/schedules/schedule.engine.ts';
import { countActiveTasks } from '../features/tasks/task-counts.ts';
import { removeTasks } from '../features/tasks/task-removal.ts';
import type { TaskRow } from '../features/tasks/task-transition.ts';
import { removeOldCalls } from '../features/webhooks/webhook-call.store.ts';
import { LiveHub } from '../live/live-hub.ts';
import { readSubscribers } from '../live/subscriber.read-model.ts';
import { logRemovalHandler } from '../logs/log-removal.ts';
import { HOSTS_BY_NAME } from '../logs/results/result-pages.ts';
import { makeOutbox } from '../outbox/outbox.ts';
import { VERSION } from '../version.ts';
import type { WorkerLoop } from '../worker-loop.ts';
import { type Alerting, composeAlerting, composeChannels } from './alerting.ts';
import { composeAuditExport } from './audit-export.ts';
import { type Choices, composeChoices } from './choices.ts';
import { composeDispatching, type Dispatching } from './dispatching.ts';
import type { Foundation } from './foundation.ts';
import { composeRunnerQueries, type RunnerQueries } from './runner-queries.ts';
import { composeScheduling } from './scheduling.ts';

/** Everything that works without a call: dispatch, schedules, alerts, retention, live updates. Not started yet. */
export interface Services {
  readonly live: LiveHub;
  readonly metrics: Metrics;
  readonly dispatching: Dispatching;
  readonly alerting: Alerting;
  readonly outbox: WorkerLoop;
  readonly auditExport: AuditExport;
  readonly retention: RetentionSweeper;
  readonly schedules: ScheduleEngine<TaskRow>;
  readonly queries: RunnerQueries;
  readonly choices: Choices;
  /** Called with new and changed tasks, to update open pages and wake the dispatcher. */
  readonly tasksChanged: (tasks: readonly TaskRow[]) => void;
}

const makeLive = ({ config, clock, app, storage: { database, logs } }: Foundation): LiveHub =>
  new LiveHub({
    readSubscribers: (tokens) => readSubscribers(database.read, tokens, clock.now(), config.secondFactor),
    totalLines: async (taskId) => {
      const task = await database.read
        .selectFrom('task')
        .select(['project_id', 'template_id'])
        .where('id', '=', taskId)
        .executeTakeFirst();
      if (!task) return undefined;
      const { project_id: projectId, template_id: templateId } = task;
      return { projectId, templateId, total: (await logs.head(taskId)).next_line - 1 };
    },
    onError: (error) => app.log.warn({ err: error }, 'live updates wait for the database'),
  });

const WHAT_FAILED = {
  host_history: 'the results of a run could not be added to the history of its hosts; it will be retried',
  log_removal: 'logs could not be removed; it will be retried',
  approval_alert: 'alerts about a task that waits for an approval could not be stored; it will be retried',
} as const;

interface OutboxParts {
  readonly live: LiveHub;
  readonly alerting: Pick<Alerting, 'channels' | 'sender'>;
}

const composeOutbox = (
  { app, storage: { database, logs } }: Foundation,
  { live, alerting }: OutboxParts,
): WorkerLoop => {
  const onError = (kind: keyof typeof WHAT_FAILED, error: unknown): void =>
    app.log.error({ err: error }, WHAT_FAILED[kind]);
  return makeOutbox({
    database,
    handlers: {
      approval_alert: approvalAlertHandler({
        database,
        channels: alerting.channels,
        onStored: () => alerting.sender.wake(),
      }),
      host_history: hostHistoryHandler({
        database,
        summary: (taskId) => logs.resultSummary(taskId),
        hosts: (taskId, first, limit) => logs.resultHosts(taskId, { ...HOSTS_BY_NAME, first, limit }),
        onWritten: (projectId) => live.partChanged(projectId, 'hosts'),
        onError: (error) => onError('host_history', error),
      }),
      log_removal: logRemovalHandler(database, logs),
    },
    onError,
  });
};

/** Wires the services. Each is created before those that use it. */
export const composeServices = (foundation: Foundation): Services => {
  const { config, clock, app, storage, runKeys, publicAddress } = foundation;
  const { database } = storage;
  const live = makeLive(foundation);
  const taskUrl = (projectId: number, taskId: number): string =>
    `${publicAddress()}/project/${projectId}/history?t=${taskId}`;
  const channels = composeChannels(config, storage, clock);
  const alerting = composeAlerting({
    config,
    storage,
    channels,
    clock,
    log: app.log,
    taskUrl,
    scheduleUrl: (projectId, scheduleId) => `${publicAddress()}/project/${projectId}/schedules?edit=${scheduleId}`,
    onDelivered: (projectId) => live.partChanged(projectId, 'alerts'),
  });
  const outbox = composeOutbox(foundation, { live, alerting });
  const metrics = makeMetrics({
    version: VERSION,
    database: database.capabilities.name,
    activeTasks: () => countActiveTasks(database),
    runners: () => dispatching.hub.runners(),
    openPages: () => live.size,
  });
  const jobDeps = { db: database.read, master: storage.master, taskUrl };
  const dispatching = composeDispatching({
    config,
    storage,
    channels,
    clock,
    log: app.log,
    jobDeps,
    runKeys,
    listeners: {
      changed: (tasks) => {
        metrics.tasksChanged(tasks);
        live.tasksChanged(tasks);
        if (!tasks.some(({ status }) => isFinal(status))) return;
        outbox.wake();
        alerting.sender.wake();
      },
      detailsChanged: (task) => live.tasksChanged([task]),
      lines: (...stored) => {
        metrics.linesStored(stored[3].length);
        live.linesStored(...stored);
      },
      results: (...stored) => live.resultsStored(...stored),
    },
  });
  const tasksChanged = (tasks: readonly TaskRow[]): void => {
    // A waiting task is stopped without a runner, so the metrics are updated here too.
    metrics.tasksChanged(tasks);
    live.tasksChanged(tasks);
    dispatching.dispatcher.wake();
    if (tasks.some(({ approval_state: state }) => state === 'pending')) outbox.wake();
  };
  const queries = composeRunnerQueries({ queryService: dispatching.queryService, jobDeps, clock });
  const choices = composeChoices({ database, clock, queries, config: config.choices });
  const schedules = composeScheduling({
    database,
    clock,
    timezone: config.timezone,
    master: storage.master,
    newestCommit: queries.newestCommit,
    choices,
    launched: (task) => tasksChanged([task]),
    channels,
    handled: (projectId) => {
      live.partChanged(projectId, 'schedules');
      // It may have stored an alert.
      alerting.sender.wake();
    },
    onError: (error) => app.log.error({ err: error }, 'a schedule could not be handled; it will be retried'),
  });
  const retention = new RetentionSweeper({
    database,
    clock,
    system: config.retention,
    keepEventsDays: config.keepEventsDays,
    removeTasks,
    removeOldCalls: (now) => removeOldCalls(database, now),
    logsQueued: () => outbox.wake(),
    onError: (error) =>
      app.log.error({ err: error }, 'expired objects could not be deleted; the next sweep tries again'),
  });
  const auditExport = composeAuditExport(foundation);
  return {
    ...{ live, metrics, dispatching, alerting, outbox, auditExport, retention, schedules, queries, choices },
    tasksChanged,
  };
};
