import type { Task } from '@signalbox/contract';
import type { Kind, Victim } from './plan.ts';
import { LINES, numbersIn } from './playbooks.ts';

/** What happened to a task, and its state afterwards. */
export interface Evidence {
  readonly task: Task;
  readonly kind: Kind;
  /** The processes of the task that were killed. */
  readonly killed: readonly Victim[];
  /** Whether a stop was accepted, or may have been because the server was killed before it answered. */
  readonly mayBeStopped: boolean;
  readonly log: readonly string[];
  /** Whether Signalbox wrote the last line of the log. */
  readonly endsWithOwnLine: boolean;
  readonly total: number;
  readonly isClosed: boolean;
  readonly starts: number;
}

/** A run continues without these. */
const HARMLESS: readonly Victim[] = ['server', 'runner', 'watchdog'];

const sequence = (numbers: readonly number[]): string | undefined => {
  const wrong = numbers.findIndex((number, index) => number !== index);
  return wrong === -1 ? undefined : `line ${numbers[wrong]} is in the position of line ${wrong}`;
};

const ofStatus = ({ task, killed, mayBeStopped, log }: Evidence): string | undefined => {
  const harmless = killed.every((victim) => HARMLESS.includes(victim));
  if (task.status === 'stopped') return mayBeStopped ? undefined : 'it was stopped without a stop request';
  if (task.status === 'error' && harmless)
    return `it failed although no process that it needs was killed: ${log.at(-1)}`;
  return undefined;
};

const ofEnd = ({ task, log, killed, endsWithOwnLine }: Evidence): string | undefined => {
  const unexplained = endsWithOwnLine ? undefined : `its last line does not explain the end: ${log.at(-1)}`;
  if (task.status === 'error') return task.end_reason ? unexplained : 'it failed without a reason';
  if (task.status === 'stopped' && !task.end_reason?.code.startsWith('stop.'))
    return `it was stopped for the reason ${task.end_reason?.code}`;
  // A task that was stopped while it waited has no log. A kill can cut the log of a stopped task.
  if (task.status === 'stopped' && log.length > 0 && killed.length === 0) return unexplained;
  return undefined;
};

const ofTimes = ({ created, start, end }: Task): string | undefined => {
  if (end === null) return 'it has no end';
  const moments = [created, start ?? created, end].map((moment) => Date.parse(moment));
  return moments.every((moment, index) => index === 0 || moment >= (moments[index - 1] ?? 0))
    ? undefined
    : 'its times go backwards';
};

/** Lists everything that is wrong with an ended task. */
export const judge = (evidence: Evidence): string[] => {
  const { task, kind, log, starts } = evidence;
  const numbers = numbersIn(log);
  const violations = [
    starts > 1 ? `its playbook was started ${starts} times` : undefined,
    task.status === 'success' && starts !== 1 ? 'it succeeded without having been started' : undefined,
    sequence(numbers),
    task.status === 'success' && numbers.length !== LINES[kind]
      ? `its log has ${numbers.length} of ${LINES[kind]} lines, and in all ${log.length} from "${log[0]}" to "${log.at(-1)}"`
      : undefined,
    evidence.isClosed ? undefined : 'its log is not closed',
    evidence.total === log.length ? undefined : `its log has ${log.length} lines, but the API counts ${evidence.total}`,
    ofStatus(evidence),
    ofEnd(evidence),
    ofTimes(task),
  ];
  return violations.filter((violation) => violation !== undefined);
};
