import { numberText } from '../../lang/locale.ts';
import type { ShownStatus } from '../../ui/tasks/status.ts';

/** A catalogue key with its values. */
export interface TextPart {
  readonly key: string;
  readonly values?: Readonly<Record<string, string | number>>;
}

export interface TaskProgress {
  readonly status: ShownStatus;
  /** Its position in the queue; null if it does not wait, or is far behind. */
  readonly position: number | null;
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
  /** Whether the playbook ended without any host, because no host matches its plays. */
  readonly hasNoHost: boolean;
}

const countOf = (count: number) => ({ count, number: numberText(count) });

const progress = ({ steps, hosts, bad }: TaskProgress): TextPart[] => {
  if (steps === 0) return [];
  return [
    { key: 'statusText.step', values: { step: numberText(steps) } },
    { key: 'statusText.hosts', values: countOf(hosts) },
    bad === 0 ? { key: 'statusText.noFailures' } : { key: 'statusText.failures', values: countOf(bad) },
  ];
};

/** The text after the status of a task: a short part for every width, and the rest for wide windows. */
export const statusText = (task: TaskProgress): { short: TextPart | undefined; long: TextPart[] } => {
  const { status, position, passed, usual, hosts, bad, isBeforeHosts, hasNoHost } = task;
  const usually: TextPart[] = usual === undefined ? [] : [{ key: 'statusText.usually', values: { time: usual } }];
  const stop: TextPart = { key: 'statusText.stop' };
  if (status === 'pending') return { short: undefined, long: [] };
  if (status === 'waiting') {
    if (position === null) return { short: { key: 'statusText.waiting' }, long: [] };
    return { short: { key: 'statusText.queued', values: { position: numberText(position) } }, long: [] };
  }
  if (passed === undefined) return { short: undefined, long: [] };
  if (status === 'starting' || status === 'running' || status === 'stopping') {
    return { short: { key: 'statusText.for', values: { time: passed } }, long: [...usually, stop, ...progress(task)] };
  }
  const after: TextPart = { key: 'statusText.after', values: { time: passed } };
  if (status === 'error' && bad > 0) {
    return {
      short: { key: 'statusText.failedOn', values: { bad: numberText(bad), ...countOf(hosts) } },
      long: [{ key: 'statusText.thereAfter', values: { time: passed } }, ...usually, stop],
    };
  }
  if (status === 'error' && isBeforeHosts) {
    return { short: { key: 'statusText.beforeHosts', values: { time: passed } }, long: [stop] };
  }
  if (status === 'success' && hasNoHost) {
    return { short: { key: 'statusText.onNoHost', values: { time: passed } }, long: [stop] };
  }
  const on: TextPart[] = hosts === 0 ? [] : [{ key: 'statusText.onHosts', values: countOf(hosts) }];
  return { short: after, long: [...usually, ...on, stop] };
};
