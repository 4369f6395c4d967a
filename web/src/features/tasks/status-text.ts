import type { TaskStatus } from '@signalbox/contract';

/** A catalogue key with its values. */
export interface Part {
  readonly key: string;
  readonly values?: Readonly<Record<string, string | number>>;
}

export interface Known {
  readonly status: TaskStatus;
  /** How long the task has run, as text. */
  readonly passed: string | undefined;
  readonly usual: string | undefined;
  /** Number of started steps. */
  readonly steps: number;
  readonly hosts: number;
  /** Number of hosts that failed or were unreachable. */
  readonly bad: number;
  /** Whether the task failed before the playbook could reach a host. */
  readonly isBeforeHosts: boolean;
}

const progress = ({ steps, hosts, bad }: Known): Part[] => {
  if (steps === 0) return [];
  return [
    { key: 'say.step', values: { step: steps } },
    { key: 'say.hosts', values: { count: hosts } },
    bad === 0 ? { key: 'say.noFailures' } : { key: 'say.failures', values: { count: bad } },
  ];
};

/** The text after the status of a task: a short part for every width, and the rest for wide windows. */
export const sayTask = (known: Known): { short: Part | undefined; long: Part[] } => {
  const { status, passed, usual, hosts, bad, isBeforeHosts } = known;
  const usually: Part[] = usual === undefined ? [] : [{ key: 'say.usually', values: { time: usual } }];
  const stop: Part = { key: 'say.stop' };
  if (status === 'waiting') return { short: { key: 'say.waiting' }, long: [] };
  if (passed === undefined) return { short: undefined, long: [] };
  if (status === 'starting' || status === 'running' || status === 'stopping') {
    return { short: { key: 'say.for', values: { time: passed } }, long: [...usually, stop, ...progress(known)] };
  }
  const after: Part = { key: 'say.after', values: { time: passed } };
  if (status === 'error' && bad > 0) {
    return {
      short: { key: 'say.failedOn', values: { bad, count: hosts } },
      long: [{ key: 'say.thereAfter', values: { time: passed } }, ...usually, stop],
    };
  }
  if (status === 'error' && isBeforeHosts) {
    return { short: { key: 'say.beforeHosts', values: { time: passed } }, long: [stop] };
  }
  const on: Part[] = hosts === 0 ? [] : [{ key: 'say.onHosts', values: { count: hosts } }];
  return { short: after, long: [...usually, ...on, stop] };
};
