import type { FastifyBaseLogger } from 'fastify';
import type { Clock } from '../clock.ts';
import type { Config } from '../config.ts';
import { type ServerChannels, writeAlerts } from '../features/alerts/alert.store.ts';
import { AlertSender } from '../features/alerts/alert-sender.ts';
import { AlertTester } from '../features/alerts/alert-test.ts';
import { bringDelivery, type Channels } from '../features/alerts/bring-delivery.ts';
import { addressPolicy } from '../features/alerts/channels/address-policy.ts';
import { sweepAlerts } from '../features/alerts/delivery.store.ts';
import type { RunResults } from '../features/alerts/findings.ts';
import { endTask } from '../features/tasks/task-end.ts';
import { HOSTS_BY_NAME } from '../logs/results/result-pages.ts';
import { makeSweeper } from '../worker-loop.ts';
import type { Storage } from './storage.ts';

export interface AlertingNeeds {
  readonly config: Config;
  readonly storage: Storage;
  readonly clock: Clock;
  readonly log: FastifyBaseLogger;
  readonly taskUrl: (projectId: number, taskId: number) => string;
  /** Tells who watches a project that what became of its messages has changed. */
  readonly onSettled: (projectId: number) => void;
}

export interface Alerting {
  readonly sender: AlertSender;
  readonly tester: AlertTester;
  readonly channels: ServerChannels;
  start(): void;
  stop(): Promise<void>;
}

export const serverChannels = ({ alerts }: Pick<Config, 'alerts'>): ServerChannels => ({
  email: alerts.smtp !== undefined,
  telegram: alerts.telegram !== undefined,
});

/** Ends tasks, and writes down in the same transaction who is to be told. */
export const alertingEnd =
  (channels: ServerChannels): typeof endTask =>
  async (tx, ...end) => {
    const changed = await endTask(tx, ...end);
    const [ended] = changed;
    if (ended) await writeAlerts(tx, ended, channels);
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
  failures: (taskId, limit) => logs.resultFailures(taskId, 1, limit),
  steps: (taskId, first, limit) => logs.resultSteps(taskId, first, limit),
});

const DAY_MS = 86_400_000;

/** Wires what is sent to whom when a task ends. */
export const composeAlerting = (needs: AlertingNeeds): Alerting => {
  const { config, storage, clock, log, taskUrl, onSettled } = needs;
  const { database, master } = storage;
  const { smtp, telegram, networks, keepDays } = config.alerts;
  const channels: Channels = { smtp, telegram, policy: addressPolicy(networks) };
  const sender = new AlertSender({
    database,
    clock,
    bring: bringDelivery({
      db: database.autocommit,
      clock,
      master,
      channels,
      results: resultsOf(storage),
      timezone: config.timezone,
      taskUrl,
    }),
    onSettled,
    onError: (error) => log.error({ err: error }, 'an alert could not be handled; it is tried again'),
  });
  const sweeper = makeSweeper(
    async (signal) => {
      const olderThan = new Date(clock.now().getTime() - keepDays * DAY_MS);
      while (!signal.aborted && (await sweepAlerts(database.autocommit, olderThan)));
    },
    (error) => log.error({ err: error }, 'old alerts could not be removed; the next sweep tries again'),
  );
  return {
    sender,
    tester: new AlertTester({ channels, clock, master }),
    channels: serverChannels(config),
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
