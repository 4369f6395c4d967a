import { setTimeout as delay } from 'node:timers/promises';
import type { Task } from '@signalbox/contract';
import { CallRefused } from '../api-client.ts';
import { signalIfThere, until } from '../product.ts';
import type { CrashHouse } from './crash-house.ts';
import { type Evidence, judge } from './judge.ts';
import type { Blow, Kind, Phase, PlannedRun, PlannedStop, Victim } from './plan.ts';
import type { Role } from './process-watch.ts';

/** Nothing may take longer than this after the last harm was done to it, in milliseconds: the machine may be busy. */
const STUCK_MS = 120_000;
/** A forced stop does not wait for a runner that cannot be reached: that one ends the run when it is back. */
const LEFT_MS = 15_000;
const MARKS: Readonly<Record<Exclude<Phase, 'waiting'>, Role>> = {
  fetching: 'git',
  galaxy: 'galaxy',
  playbook: 'ansible',
};

export interface PlayedRun {
  readonly planned: PlannedRun;
  readonly tasks: readonly number[];
  /** What was done, for the journal. */
  readonly deeds: readonly string[];
  readonly outcome: string;
  readonly faults: readonly string[];
  /** True when its playbook has left daemons on purpose. */
  readonly leavesDaemons: boolean;
  /** Milliseconds from a stop that nothing disturbed until no process of the run was left. */
  readonly stopMs: { readonly force: boolean; readonly ms: number } | undefined;
}

/** A call to nobody: the server was down already. */
const isUnheard = (error: unknown): boolean =>
  error instanceof Error &&
  error.cause instanceof Error &&
  'code' in error.cause &&
  error.cause.code === 'ECONNREFUSED';

/** What may be done to one task until it has ended. */
class Target {
  readonly id: number;
  readonly #house: CrashHouse;
  readonly #began = performance.now();
  readonly deeds: string[] = [];
  readonly struck: Victim[] = [];
  mayBeStopped = false;
  hasEnded = false;
  leavesDaemons = false;
  stopMs: PlayedRun['stopMs'];

  constructor(id: number, house: CrashHouse) {
    this.id = id;
    this.#house = house;
  }

  #say(what: string): void {
    this.deeds.push(`+${Math.round(performance.now() - this.#began)} ${what}`);
  }

  /** Waits until a process of this role was seen; false when the task has ended before. */
  async #sees(role: Role): Promise<boolean> {
    while (this.#house.watch.firstSeen(this.id, role) === undefined) {
      if (this.hasEnded) return false;
      await delay(5);
    }
    return true;
  }

  async strike({ victim, after }: Blow): Promise<void> {
    if (victim === 'server' || victim === 'runner') {
      await delay(after);
      if (this.hasEnded) return;
      const isDone = victim === 'runner' ? this.#house.killRunner() : await this.#house.killServer();
      if (isDone) this.#note(victim, victim);
      return;
    }
    // Until it has forked the keeper, the guardian is the keeper to be.
    if (!(await this.#sees(victim === 'guardian' ? 'keeper' : victim))) return;
    await delay(after);
    while (!this.hasEnded) {
      const [found] = this.#house.watch.living(this.id, victim);
      if (found && signalIfThere(found.pid, 'SIGKILL')) {
        this.#note(victim, `${victim} ${found.pid} (${found.command.split(' ').slice(0, 3).join(' ').slice(-40)})`);
        return;
      }
      await delay(5);
    }
  }

  #note(victim: Victim, what: string): void {
    this.struck.push(victim);
    this.#say(`kill ${what}`);
  }

  async stop({ phase, after, force }: PlannedStop): Promise<void> {
    if (phase !== 'waiting' && !(await this.#sees(MARKS[phase]))) return;
    await delay(after);
    if (this.hasEnded) return;
    const { client, project } = this.#house;
    const struckBefore = this.struck.length;
    const since = performance.now();
    const params = { ...project.params, task_id: this.id };
    let wasCutOff = false;
    const ask = () =>
      client.call('stopTask', { params, body: { force } }).catch((error: unknown) => {
        wasCutOff ||= !(error instanceof CallRefused) && !isUnheard(error);
        throw error;
      });
    try {
      await this.#house.patiently(ask);
    } catch (error) {
      if (!(error instanceof CallRefused && error.status === 409)) throw error;
      // It has ended: by itself, or by a call whose answer was lost with the server.
      this.mayBeStopped = wasCutOff;
      return;
    }
    this.mayBeStopped = true;
    this.#say(`${force ? 'force stop' : 'stop'} in ${phase}`);
    await until(
      `no process of task ${this.id}`,
      () => this.hasEnded || this.#house.watch.living(this.id).length === 0,
      STUCK_MS,
    );
    if (struckBefore === 0 && this.struck.length === 0) this.stopMs = { force, ms: performance.now() - since };
  }
}

const evidenceOf = async (house: CrashHouse, task: Task, kind: Kind, target?: Target): Promise<Evidence> => {
  const params = { ...house.project.params, task_id: task.id };
  const log = await house.patiently(() => house.project.log(task.id));
  const { total, sealed } = await house.patiently(() =>
    house.client.call('getTaskLines', { params, query: { limit: '1' } }),
  );
  return {
    task,
    kind,
    log,
    total,
    isSealed: sealed,
    starts: house.startsOf(task.id),
    struck: target?.struck ?? [],
    mayBeStopped: target?.mayBeStopped ?? false,
  };
};

/** Judges a task that nobody has touched by itself, such as the deploy that follows a build. */
export const judgeOther = async (house: CrashHouse, id: number, kind: Kind): Promise<string[]> => {
  const task = await house.ended(id, STUCK_MS);
  const evidence = await evidenceOf(house, task, kind);
  return judge(evidence);
};

/** What a playbook leaves on purpose stays when it ends by itself. */
const mayLeaveDaemons = ({ kind, task, log }: Evidence): boolean =>
  kind === 'daemon' && (task.status === 'success' || /^ansible-playbook ended with exit code/.test(log.at(-1) ?? ''));

const leftBehind = async (house: CrashHouse, target: Target, evidence: Evidence): Promise<string[]> => {
  if (mayLeaveDaemons(evidence)) {
    target.leavesDaemons = true;
    return [];
  }
  const isGone = await until(
    'the end of the processes',
    () => house.watch.living(target.id).length === 0 || undefined,
    LEFT_MS,
  ).catch(() => false);
  if (isGone) return [];
  return house.watch.living(target.id).map(({ pid, command }) => `process ${pid} is left over: ${command}`);
};

/** Plays one run of the schedule to its end, and judges it. */
export const playRun = async (house: CrashHouse, planned: PlannedRun): Promise<PlayedRun> => {
  const { kind, number, blows, stop } = planned;
  const template = await house.template(kind, number);
  if (kind === 'heavy') house.commitMuch();
  const start = () => house.patiently(() => house.project.run(template));
  // One that waits needs another before it.
  const before = kind === 'queued' ? await start() : undefined;
  const { id } = await start();
  const target = new Target(id, house);
  const deeds = Promise.all([...blows.map((blow) => target.strike(blow)), stop && target.stop(stop)]);
  // Waited for below; until then it is nobody's surprise.
  deeds.catch(() => undefined);
  const faults: string[] = [];
  let status = 'stuck';
  try {
    const task = await house.ended(id, STUCK_MS);
    status = task.status;
    target.hasEnded = true;
    await deeds;
    const evidence = await evidenceOf(house, task, kind, target);
    faults.push(...judge(evidence), ...(await leftBehind(house, target, evidence)));
  } catch (error) {
    target.hasEnded = true;
    faults.push(error instanceof Error ? error.message : String(error));
    await deeds.catch(() => undefined);
  }
  return {
    planned,
    tasks: before ? [before.id, id] : [id],
    deeds: target.deeds,
    outcome: status,
    faults,
    stopMs: target.stopMs,
    leavesDaemons: target.leavesDaemons,
  };
};
