import { DAY_MS } from '@signalbox/contract/limits';
import type { FastifyBaseLogger } from 'fastify';
import type { Clock } from '../clock.ts';
import type { Config } from '../config.ts';
import type { EnvironmentRules } from '../execution-environments.ts';
import { writeAlerts } from '../features/alerts/alert.store.ts';
import { AlertSender } from '../features/alerts/alert-sender.ts';
import { AlertTester } from '../features/alerts/alert-tester.ts';
import { type Channels, makeChannels } from '../features/alerts/channels/channels.ts';
import { deliverAlert } from '../features/alerts/deliver-alert.ts';
import { sweepAlerts } from '../features/alerts/delivery.store.ts';
import type { RunResults } from '../features/alerts/findings.ts';
import { type EndTask, endTask } from '../features/tasks/task-end.ts';
import { HOSTS_BY_NAME } from '../logs/results/result-pages.ts';
import { addressPolicy } from '../outgoing/address-policy.ts';
import { makeSweeper } from '../worker-loop.ts';
import type { Storage } from './storage.ts';

export interface AlertingDeps {
  readonly config: Config;
  readonly storage: Storage;
  readonly channels: Channels;
  readonly clock: Clock;
  readonly log: FastifyBaseLogger;
  readonly taskUrl: (projectId: number, taskId: number) => string;
  readonly scheduleUrl: (projectId: number, scheduleId: number) => string;
  /** Called when the state of a delivery of a project has changed. */
  readonly onDelivered: (projectId: number) => void;
}

export interface Alerting {
  readonly sender: AlertSender;
  readonly tester: AlertTester;
  readonly channels: Channels;
  start(): void;
  stop(): Promise<void>;
}

/** Creates the channels that alerts are sent by. */
export const composeChannels = (
  { alerts: { smtp, telegram, networks } }: Pick<Config, 'alerts'>,
  { master }: Pick<Storage, 'master'>,
  clock: Pick<Clock, 'now'>,
): Channels => makeChannels({ smtp, telegram, policy: addressPolicy(networks), master, clock });

/**
 * Ends tasks, and stores in the same transaction which alerts are to be sent.
 * @param environments which execution environments are allowed for deploys that start
 */
export const alertingEnd =
  (channels: Channels, environments: EnvironmentRules): EndTask =>
  async (tx, ...ended) => {
    const changed = await endTask(tx, environments, ...ended);
    const [task] = changed;
    if (task) await writeAlerts(tx, task, channels);
    return changed;
  };

const resultsOf = ({ logs }: Storage): RunResults => ({
  badHosts: (taskId, limit) =>
    logs.resultHosts(taskId, {
      ...HOSTS_BY_NAME,
      sort: 'trouble',
      order: undefined,
      outcome: 'trouble',
      first: 1,
      limit,
    }),
  clusters: (taskId) => logs.resultClusters(taskId),
  failures: (taskId, limit) => logs.resultFailures(taskId, 1, limit),
  steps: (taskId, first, limit) => logs.resultSteps(taskId, first, limit),
});

/** Wires the alerts that are sent when a task ends. */
export const composeAlerting = (deps: AlertingDeps): Alerting => {
  const { config, storage, channels, clock, log, taskUrl, scheduleUrl, onDelivered } = deps;
  const { database } = storage;
  const { smtp, keepDays } = config.alerts;
  const sender = new AlertSender({
    database,
    clock,
    channels,
    deliver: deliverAlert({
      db: database.autocommit,
      channels,
      results: resultsOf(storage),
      timezone: config.timezone,
      taskUrl,
      scheduleUrl,
    }),
    onDelivered,
    onError: (error) => log.error({ err: error }, 'an alert could not be sent; it will be sent again'),
  });
  const sweeper = makeSweeper(
    async (signal) => {
      const olderThan = new Date(clock.now().getTime() - keepDays * DAY_MS);
      while (!signal.aborted && (await sweepAlerts(database.autocommit, olderThan)));
    },
    (error) => log.error({ err: error }, 'old alerts could not be deleted; the next sweep tries again'),
  );
  return {
    sender,
    tester: new AlertTester({ channels, smtp, clock }),
    channels,
    start: () => {
      sender.start();
      sweeper.start();
    },
    stop: async () => {
      await sender.stop();
      await sweeper.stop();
    },
  };
};
