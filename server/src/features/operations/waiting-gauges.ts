import { Gauge, type Registry } from 'prom-client';

/** Groups with labels of their own. The labels of all others are `OTHER`. */
const MAX_GROUPS = 50;
const OTHER = '(other)';

interface WaitingGroups {
  readonly groups: readonly {
    readonly app: string;
    readonly execution_environment: string;
    readonly runner_tags: readonly string[];
    readonly count: number;
    readonly oldest: string;
  }[];
  /** Number of tasks in all groups, also in those that were left out. */
  readonly all: number;
}

export interface WaitingSources {
  /** The largest groups of waiting tasks with the same needs. */
  readonly waiting: (limit: number) => Promise<WaitingGroups>;
  readonly now: () => Date;
}

/** Adds the gauges of waiting tasks by what they need of a runner. Both show the same read. */
export const addWaitingGauges = (registers: Registry[], { waiting, now }: WaitingSources): void => {
  let reading: Promise<WaitingGroups> | undefined;
  const read = (): Promise<WaitingGroups> => {
    reading ??= waiting(MAX_GROUPS).finally(() => {
      reading = undefined;
    });
    return reading;
  };
  const labelNames = ['app', 'execution_environment', 'tags'] as const;
  const labelsOf = ({ app, execution_environment, runner_tags }: WaitingGroups['groups'][number]) => ({
    app,
    execution_environment,
    tags: runner_tags.join(','),
  });
  new Gauge({
    name: 'signalbox_waiting_tasks',
    help: 'Tasks of the installation that wait for a runner, by app, kind of the execution environment and runner tags.',
    registers,
    labelNames,
    async collect() {
      const { groups, all } = await read();
      this.reset();
      for (const group of groups) this.set(labelsOf(group), group.count);
      const others = all - groups.reduce((sum, { count }) => sum + count, 0);
      if (others > 0) this.set({ app: OTHER, execution_environment: OTHER, tags: OTHER }, others);
    },
  });
  new Gauge({
    name: 'signalbox_waiting_seconds',
    help: 'Seconds that the oldest task that waits for a runner has waited, by app, kind of the execution environment and runner tags.',
    registers,
    labelNames,
    async collect() {
      const { groups } = await read();
      this.reset();
      for (const group of groups)
        this.set(labelsOf(group), Math.max(0, now().getTime() - Date.parse(group.oldest)) / 1000);
    },
  });
};
