import type { Task } from '@signalbox/contract';
import type { Kind, Victim } from './plan.ts';
import { LINES, numbersIn } from './playbooks.ts';

/** What was done to a task, and what was found afterwards. */
export interface Evidence {
  readonly task: Task;
  readonly kind: Kind;
  /** What of it was killed, as far as that met a living process. */
  readonly struck: readonly Victim[];
  /** True when a stop was accepted, or may have been: the server was killed before it could answer. */
  readonly mayBeStopped: boolean;
  readonly log: readonly string[];
  readonly total: number;
  readonly isSealed: boolean;
  readonly starts: number;
}

/** A run goes on without them. */
const HARMLESS: readonly Victim[] = ['server', 'runner', 'guardian'];

const STOP_LINES = /^(The task was stopped\.|Stopped by force )/;
/** The last lines of a run that ended by nobody's wish: each says why. */
const WHY =
  /^(The log was cut here: |The runner lost this run: |The log is incomplete: |ansible-playbook (ended|was ended) |The repository |The submodules |The mirror |ansible-galaxy could not |The ssh key could not be used: |ssh-agent could not be started|The keeper of the run could not |The run could not be prepared|ansible-playbook could not be started)/;

const sequence = (numbers: readonly number[]): string | undefined => {
  const wrong = numbers.findIndex((number, index) => number !== index);
  return wrong === -1 ? undefined : `line ${numbers[wrong]} stands where line ${wrong} should`;
};

const ofStatus = ({ task, struck, mayBeStopped, log }: Evidence): string | undefined => {
  const harmless = struck.every((victim) => HARMLESS.includes(victim));
  if (task.status === 'stopped') return mayBeStopped ? undefined : 'it is stopped, and nobody stopped it';
  if (task.status === 'error' && harmless) return `it failed, and nothing of it was harmed: ${log.at(-1)}`;
  return undefined;
};

const ofEnd = ({ task, log, struck }: Evidence): string | undefined => {
  const last = log.at(-1) ?? '';
  if (task.status === 'error') return WHY.test(last) ? undefined : `its last line does not say why: ${last}`;
  // One that was stopped while it waited has no log.
  if (task.status === 'stopped' && log.length > 0)
    return STOP_LINES.test(last) || struck.length > 0 ? undefined : `its last line does not say so: ${last}`;
  return undefined;
};

const ofTimes = ({ created, start, end }: Task): string | undefined => {
  if (end === null) return 'it has no end';
  const moments = [created, start ?? created, end].map((moment) => Date.parse(moment));
  return moments.every((moment, index) => index === 0 || moment >= (moments[index - 1] ?? 0))
    ? undefined
    : 'its times go backwards';
};

/** Everything that is wrong with a task that has ended. */
export const judge = (evidence: Evidence): string[] => {
  const { task, kind, log, starts } = evidence;
  const numbers = numbersIn(log);
  const faults = [
    starts > 1 ? `its playbook was started ${starts} times` : undefined,
    task.status === 'success' && starts !== 1 ? 'it succeeded without having been started' : undefined,
    sequence(numbers),
    task.status === 'success' && numbers.length !== LINES[kind]
      ? `its log has ${numbers.length} of ${LINES[kind]} lines, and in all ${log.length} from "${log[0]}" to "${log.at(-1)}"`
      : undefined,
    evidence.isSealed ? undefined : 'its log is not sealed',
    evidence.total === log.length ? undefined : `its log has ${log.length} lines, and says ${evidence.total}`,
    ofStatus(evidence),
    ofEnd(evidence),
    ofTimes(task),
  ];
  return faults.filter((fault) => fault !== undefined);
};
