import { Gauge, type Registry } from 'prom-client';

export interface LogStoreSources {
  /** Reads the number of logs that are due to be moved, and since when moves fail. Undefined without a log store. */
  readonly logStore: (() => Promise<{ readonly waiting: number; readonly failingSince: string | null }>) | undefined;
  readonly now: () => Date;
}

/** Adds the gauges of the log store, if there is one. */
export const addLogStoreGauges = (registers: Registry[], { logStore, now }: LogStoreSources): void => {
  if (!logStore) return;
  new Gauge({
    name: 'signalbox_logs_waiting',
    help: 'Logs of ended tasks of the installation that are due to be moved to the log store.',
    registers,
    async collect() {
      this.set((await logStore()).waiting);
    },
  });
  new Gauge({
    name: 'signalbox_log_store_failing_seconds',
    help: 'Seconds for which moves to the log store have failed; 0 while they succeed.',
    registers,
    async collect() {
      const { failingSince } = await logStore();
      this.set(failingSince === null ? 0 : Math.max(0, now().getTime() - Date.parse(failingSince)) / 1000);
    },
  });
};
