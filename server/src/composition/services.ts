import type { AuditExport } from '../audit/export/audit-export.ts';
import { Bus } from '../bus/bus.ts';
import { OwnServer } from '../bus/own-server.ts';
import type { Relay } from '../bus/relay.ts';
import { readQueueGroups } from '../dispatch/claim/waiting-groups.ts';
import { approvalAlertHandler } from '../features/alerts/approval-alert.handler.ts';
import { failuresHandler } from '../features/failures/failures.handler.ts';
import { unfixedRuns } from '../features/failures/unfixed-runs.ts';
import { hostHistoryHandler } from '../features/hosts/host-history.handler.ts';
import type { RunFailures } from '../features/hosts/run-failures.ts';
import { type Metrics, makeMetrics } from '../features/operations/metrics.ts';
import { measureStorage } from '../features/retention/measure-storage.ts';
import { RetentionSweeper } from '../features/retention/retention-sweeper.ts';
import type { ScheduleEngine } from '../features/schedules/schedule.engine.ts';
import { countActiveTasks } from '../features/tasks/task-counts.ts';
import { removeTasks } from '../features/tasks/task-removal.ts';
import type { TaskRow } from '../features/tasks/task-transition.ts';
import { runTimesHandler } from '../features/times/run-times.handler.ts';
import { removeOldCalls } from '../features/webhooks/webhook-call.store.ts';
import { LiveHub } from '../live/live-hub.ts';
import { readSubscribers } from '../live/subscriber.read-model.ts';
import { logRemovalHandler } from '../logs/log-removal.ts';
import { makeLogMover } from '../logs/objects/log-mover.ts';
import { readDue } from '../logs/objects/log-object-totals.ts';
import { searchOrphans } from '../logs/objects/orphan-search.ts';
import { checkMarker } from '../logs/objects/store-marker.ts';
import { HOSTS_BY_NAME } from '../logs/results/result-pages.ts';
import { makeOutbox } from '../outbox/outbox.ts';
import { VERSION } from '../version.ts';
import type { WorkerLoop } from '../worker-loop.ts';
import { type Alerting, composeAlerting, composeChannels } from './alerting.ts';
import { composeAuditExport } from './audit-export.ts';
import { type Choices, composeChoices } from './choices.ts';
import { composeDispatching, type Dispatching } from './dispatching.ts';
import type { Foundation } from './foundation.ts';
import { composeRelay } from './relay.ts';
import { composeRunnerQueries, type RunnerQueries } from './runner-queries.ts';
import { composeScheduling } from './scheduling.ts';
import { subscribe } from './subscriptions.ts';
import { composeTiming, type Timing } from './timing.ts';

/** Everything that works without a call: dispatch, schedules, alerts, retention, live updates. Not started yet. */
export interface Services {
  readonly bus: Bus;
  /** Connects the bus with those of other servers. Undefined with a database file. */
  readonly relay: Relay | undefined;
  readonly ownServer: OwnServer;
  readonly live: LiveHub;
  readonly metrics: Metrics;
  readonly dispatching: Dispatching;
  readonly timing: Timing;
  readonly alerting: Alerting;
  readonly outbox: WorkerLoop;
  /** Undefined if all logs are in the database. */
  readonly logMover: WorkerLoop | undefined;
  readonly auditExport: AuditExport;
  readonly retention: RetentionSweeper;
  readonly schedules: ScheduleEngine<TaskRow>;
  readonly queries: RunnerQueries;
  readonly choices: Choices;
}

const makeLive = ({ config, clock, app, storage: { database, logs } }: Foundation, onWatched: () => void): LiveHub =>
  new LiveHub({
    onWatched,
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
  failures: 'the failures of a run could not be stored; it will be retried',
  run_times: 'the times of a run could not be stored; it will be retried',
  log_removal: 'logs could not be removed; it will be retried',
  approval_alert: 'alerts about a task that waits for an approval could not be stored; it will be retried',
} as const;

interface OutboxParts {
  readonly bus: Bus;
  readonly alerting: Pick<Alerting, 'channels'>;
  readonly logMover: WorkerLoop | undefined;
}

const composeLogMover = ({ config, clock, app, storage }: Foundation): WorkerLoop | undefined => {
  const { database, logs, logStore } = storage;
  if (!logStore) return undefined;
  const { store } = logStore;
  const orphans = {
    ...{ database, store, clock },
    onError: (error: unknown) =>
      app.log.error({ err: error }, 'the log store could not be searched for objects without a log'),
  };
  return makeLogMover({
    ...{ database, logs, clock, store },
    searchOrphans: (signal) => searchOrphans(orphans, signal),
    row: logStore.row,
    afterHours: config.logStore.afterHours,
    onError: (error) => app.log.error({ err: error }, 'logs could not be moved to the log store; it will be retried'),
  });
};

const composeOutbox = (
  { app, storage: { database, logs, logStore } }: Foundation,
  { bus, alerting, logMover }: OutboxParts,
): WorkerLoop => {
  const onError = (kind: keyof typeof WHAT_FAILED, error: unknown): void =>
    app.log.error({ err: error }, WHAT_FAILED[kind]);
  const runFailures: RunFailures = {
    clusters: (taskId) => logs.resultClusters(taskId),
    hosts: (...page) => logs.clusterHosts(...page),
  };
  return makeOutbox({
    database,
    handlers: {
      approval_alert: approvalAlertHandler({
        database,
        channels: alerting.channels,
        onStored: () => bus.publish('alerts_stored', {}),
      }),
      host_history: hostHistoryHandler({
        database,
        summary: (taskId) => logs.resultSummary(taskId),
        hosts: (taskId, first, limit) => logs.resultHosts(taskId, { ...HOSTS_BY_NAME, first, limit }),
        failures: runFailures,
        notes: (...page) => logs.resultNotes(...page),
        onWritten: (projectId) => bus.publish('part_changed', { projectId, part: 'hosts' }),
        onError: (error) => onError('host_history', error),
      }),
      failures: failuresHandler({
        database,
        ...runFailures,
        runSteps: (...page) => logs.resultSteps(...page),
        runHosts: (taskId, first, limit, steps) =>
          logs.resultHosts(taskId, { ...HOSTS_BY_NAME, first, limit, stepLimit: steps }),
        onStored: (projectId) => bus.publish('part_changed', { projectId, part: 'failures' }),
        onError: (error) => onError('failures', error),
      }),
      run_times: runTimesHandler({
        database,
        times: (taskId) => logs.resultTimes(taskId),
        timesOfRuns: (runs) => logs.timesOfRuns(runs),
        onError: (error) => onError('run_times', error),
      }),
      log_removal: logRemovalHandler(database, logs, {
        checkStore: async () => {
          if (logStore) await checkMarker(logStore.store, logStore.row);
        },
        onRemoved: () => logMover?.wake(),
      }),
    },
    onError,
  });
};

/** Wires the services. Some use later ones through functions, which are called only after this returns. */
export const composeServices = (foundation: Foundation): Services => {
  const { config, clock, app, storage, runKeys, hostNames, publicAddress } = foundation;
  const { database } = storage;
  const bus = new Bus((error) => app.log.error({ err: error }, 'an event could not be handled'));
  const live = makeLive(foundation, () => relay?.watchedChanged());
  const ownServer = new OwnServer({
    clock,
    version: VERSION,
    dataFolder: config.dataFolder,
    consoles: () => live.size,
    runners: () => dispatching.hub.runners().length,
    notices: () => ({ lagMs: relay?.lagMs, reopened: relay?.reopened }),
  });
  const relay = composeRelay(foundation, { bus, live, ownServer, runners: () => dispatching.hub.runners() });
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
    onDelivered: (projectId) => bus.publish('part_changed', { projectId, part: 'alerts' }),
  });
  const logMover = composeLogMover(foundation);
  const outbox = composeOutbox(foundation, { bus, alerting, logMover });
  const metrics = makeMetrics({
    version: VERSION,
    database: database.capabilities.name,
    activeTasks: () => countActiveTasks(database),
    waiting: (groups) => readQueueGroups(database, groups),
    logStore: storage.logStore && (() => readDue(database, config.logStore.afterHours, clock.now())),
    now: () => clock.now(),
    runners: () => dispatching.hub.runners(),
    openPages: () => live.size,
    noticeMs: () => relay?.lagMs,
  });
  const jobDeps = { db: database.read, master: storage.master, hostNames, taskUrl, environments: config.environments };
  const timing = composeTiming(foundation, { live, channels, onAlert: () => bus.publish('alerts_stored', {}) });
  const dispatching = composeDispatching({
    config,
    storage,
    channels,
    clock,
    log: app.log,
    jobDeps,
    inputDigest: foundation.inputDigest,
    runKeys,
    listeners: {
      changed: (tasks) => bus.publish('tasks_changed', { tasks }),
      detailsChanged: (task) => bus.publish('task_details_changed', { task }),
      lines: (projectId, taskId, first, lines) => bus.publish('lines_stored', { projectId, taskId, first, lines }),
      results: (projectId, taskId, first, records) =>
        bus.publish('results_stored', { projectId, taskId, first, records }),
    },
    onCapacity: () => bus.publish('capacity_changed', {}),
    otherRunners: () => relay?.runners ?? [],
    knowsRunners: () => relay?.knowsRunners ?? true,
    onRunners: () => {
      relay?.runnersChanged();
      bus.publish('installation_changed', { part: 'runners' });
    },
    expectedEnd: timing.expectedEnd,
    onRelayed: (id) => bus.publish('relayed_query_changed', { id }),
  });
  const queries = composeRunnerQueries({ queryService: dispatching.queryService, jobDeps, clock });
  const choices = composeChoices({ database, clock, queries, config: config.choices });
  const schedules = composeScheduling({
    database,
    clock,
    timezone: config.timezone,
    master: storage.master,
    newestCommit: queries.newestCommit,
    choices,
    environments: config.environments,
    launched: (task) => bus.publish('tasks_changed', { tasks: [task] }),
    channels,
    handled: (projectId) => {
      bus.publish('part_changed', { projectId, part: 'schedules' });
      // It may have stored an alert.
      bus.publish('alerts_stored', {});
    },
    onError: (error) => app.log.error({ err: error }, 'a schedule could not be handled; it will be retried'),
  });
  const sources = {
    database,
    unfixedRuns: (templateId: number) => unfixedRuns({ read: database.readApart }, templateId),
  };
  const retention = new RetentionSweeper({
    ...sources,
    clock,
    system: config.retention,
    keepEventsDays: config.keepEventsDays,
    removeTasks: (tx, ids) => removeTasks(tx, ids, { skipKept: true }),
    removeOldCalls: (now) => removeOldCalls(database, now),
    measure: (signal) => measureStorage({ ...sources, logs: storage.logs, clock, system: config.retention }, signal),
    logsQueued: () => bus.publish('work_queued', {}),
    onError: (error) =>
      app.log.error({ err: error }, 'expired objects could not be deleted; the next sweep tries again'),
  });
  const auditExport = composeAuditExport(foundation);
  subscribe(bus, { live, metrics, dispatching, alerting, outbox, schedules });
  return {
    ...{
      bus,
      relay,
      ownServer,
      live,
      metrics,
      dispatching,
      timing,
      alerting,
      outbox,
      logMover,
      auditExport,
      retention,
      schedules,
      queries,
      choices,
    },
  };
};
