import { NOT_FINAL_STATUSES } from '@signalbox/contract';
import type { FastifyInstance } from 'fastify';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { addLogStoreGauges, type LogStoreSources } from './log-store-gauges.ts';
import { addWaitingGauges, type WaitingSources } from './waiting-gauges.ts';

/** Upper bounds of the histogram in seconds, from a read in memory to a client time-out. */
const CALL_SECONDS = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];
/** Upper bounds in seconds, from an immediate start to a run of a whole night. */
const WAIT_SECONDS = [0.1, 0.5, 1, 5, 15, 60, 300, 900, 3600];
const RUN_SECONDS = [1, 5, 15, 60, 300, 900, 3600, 14_400];

/** The fields of a task that are counted. */
interface CountedTask {
  readonly status: string;
  readonly created: string;
  readonly start_time: string | null;
  readonly end_time: string | null;
}

/** Values that are read for each request. */
export interface MetricsSources extends WaitingSources, LogStoreSources {
  readonly version: string;
  readonly database: string;
  /** Number of tasks of the installation in each status that is not final. */
  readonly activeTasks: () => Promise<readonly { readonly status: string; readonly count: number }[]>;
  readonly runners: () => readonly { readonly slots: number }[];
  readonly openPages: () => number;
  /** Milliseconds that the newest notice between servers took; undefined without any. */
  readonly noticeMs: () => number | undefined;
}

export interface Metrics {
  /** Returns the metrics in the text format of Prometheus. */
  readonly text: () => Promise<string>;
  /** Counts the calls of a server by route and status. */
  readonly watchCalls: (app: FastifyInstance) => void;
  readonly tasksChanged: (tasks: readonly CountedTask[]) => void;
  readonly linesStored: (count: number) => void;
}

const secondsBetween = (from: string | null, to: string | null): number | undefined =>
  from === null || to === null ? undefined : Math.max(0, Date.parse(to) - Date.parse(from)) / 1000;

/**
 * Metrics of one server. Labels contain no names of projects, templates or users, because their number is unlimited.
 */
export const makeMetrics = (sources: MetricsSources): Metrics => {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const own = (name: string, help: string) => ({ name: `signalbox_${name}`, help, registers });

  new Gauge({
    ...own('build_info', 'Always 1; the labels describe this server.'),
    labelNames: ['version', 'database'],
  }).set({ version: sources.version, database: sources.database }, 1);
  new Gauge({
    ...own('tasks', 'Tasks of the installation that have not ended, by status.'),
    labelNames: ['status'],
    async collect() {
      this.reset();
      for (const status of NOT_FINAL_STATUSES) this.set({ status }, 0);
      for (const { status, count } of await sources.activeTasks()) this.set({ status }, count);
    },
  });
  addWaitingGauges(registers, sources);
  addLogStoreGauges(registers, sources);
  new Gauge({
    ...own('runners', 'Runners that are connected to this server.'),
    collect() {
      this.set(sources.runners().length);
    },
  });
  new Gauge({
    ...own('runner_slots', 'Tasks that the runners at this server can execute at once.'),
    collect() {
      this.set(sources.runners().reduce((sum, { slots }) => sum + slots, 0));
    },
  });
  new Gauge({
    ...own('live_connections', 'Open pages and programs that get live updates from this server.'),
    collect() {
      this.set(sources.openPages());
    },
  });
  new Gauge({
    ...own('notice_seconds', 'Seconds that the newest notice between servers took; NaN while there is none.'),
    collect() {
      this.set((sources.noticeMs() ?? Number.NaN) / 1000);
    },
  });
  const ended = new Counter({
    ...own('tasks_ended_total', 'Tasks whose end this server stored, by status.'),
    labelNames: ['status'],
  });
  for (const status of ['success', 'error', 'stopped']) ended.inc({ status }, 0);
  const waits = new Histogram({
    ...own('task_wait_seconds', 'Seconds from the creation to the start of a task.'),
    buckets: WAIT_SECONDS,
  });
  const runs = new Histogram({
    ...own('task_duration_seconds', 'Seconds from the start to the end of a task, by status.'),
    labelNames: ['status'],
    buckets: RUN_SECONDS,
  });
  const lines = new Counter(own('log_lines_total', 'Lines of output that this server has stored.'));
  const calls = new Histogram({
    ...own('http_request_duration_seconds', 'Duration of a call in seconds, by method, path without ids, and status.'),
    labelNames: ['method', 'path', 'status'],
    buckets: CALL_SECONDS,
  });

  return {
    text: () => registry.metrics(),
    watchCalls: (app) =>
      app.addHook('onResponse', (request, reply, done) => {
        // Unknown paths share one label, because clients can invent any number of them.
        const path = request.routeOptions.url ?? 'unknown';
        calls.observe({ method: request.method, path, status: reply.statusCode }, reply.elapsedTime / 1000);
        done();
      }),
    tasksChanged: (tasks) => {
      for (const { status, created, start_time, end_time } of tasks) {
        if (status === 'starting') waits.observe(secondsBetween(created, start_time) ?? 0);
        if (status !== 'success' && status !== 'error' && status !== 'stopped') continue;
        ended.inc({ status });
        const seconds = secondsBetween(start_time, end_time);
        if (seconds !== undefined) runs.observe({ status }, seconds);
      }
    },
    linesStored: (count) => lines.inc(count),
  };
};
