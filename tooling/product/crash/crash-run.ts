import { setTimeout as delay } from 'node:timers/promises';
import type { Task } from '@signalbox/contract';
import { CallRefused } from '../api-client.ts';
import { signalIfThere, until } from '../product.ts';
import type { CrashHarness } from './crash-harness.ts';
import { type Evidence, judge } from './judge.ts';
import type { Kill, Kind, Phase, PlannedRun, PlannedStop, Victim } from './plan.ts';
import type { Role } from './process-watch.ts';

/** Maximum time for anything after the last kill, in milliseconds, on a busy machine. */
const STUCK_MS = 120_000;
/** A forced stop does not wait for an unreachable runner, which ends the run when it is back. In milliseconds. */
const LEFT_MS = 15_000;
/** The beginning of a line that Signalbox wrote. */
const OWN_LINE = /^\[signalbox\] /;
/** Reasons of a playbook that failed and ended by itself. */
const ENDED_BY_ITSELF: readonly string[] = ['hosts.failed', 'hosts.unreachable', 'ansible.exit', 'playbook.failed'];
const PHASE_ROLES: Readonly<Record<Exclude<Phase, 'waiting'>, Role>> = {
  fetching: 'git',
  galaxy: 'galaxy',
  playbook: 'ansible',
};

export interface PlayedRun {
  readonly planned: PlannedRun;
  readonly tasks: readonly number[];
  /** The kills and stops, for the report. */
  readonly actions: readonly string[];
  readonly outcome: string;
  readonly violations: readonly string[];
  /** Whether its playbook left daemons on purpose. */
  readonly leavesDaemons: boolean;
  /** Milliseconds from a stop without a kill until no process of the run was left. */
  readonly stopMs: { readonly force: boolean; readonly ms: number } | undefined;
}

/** Whether a call did not reach the server, because it was down. */
const isNotReceived = (error: unknown): boolean =>
  error instanceof Error &&
  error.cause instanceof Error &&
  'code' in error.cause &&
  error.cause.code === 'ECONNREFUSED';

/** Kills and stops one task until it has ended. */
class Target {
  readonly id: number;
  readonly #harness: CrashHarness;
  readonly #began = performance.now();
  readonly actions: string[] = [];
  readonly killed: Victim[] = [];
  mayBeStopped = false;
  hasEnded = false;
  leavesDaemons = false;
  stopMs: PlayedRun['stopMs'];

  constructor(id: number, harness: CrashHarness) {
    this.id = id;
    this.#harness = harness;
  }

  #log(what: string): void {
    this.actions.push(`+${Math.round(performance.now() - this.#began)} ${what}`);
  }

  /** Waits until a process of this role was seen. Returns false if the task ended before. */
  async #waitFor(role: Role): Promise<boolean> {
    while (this.#harness.watch.firstSeen(this.id, role) === undefined) {
      if (this.hasEnded) return false;
      await delay(5);
    }
    return true;
  }

  async kill({ victim, after }: Kill): Promise<void> {
    if (victim === 'server' || victim === 'runner') {
      await delay(after);
      if (this.hasEnded) return;
      const isDone = victim === 'runner' ? this.#harness.killRunner() : await this.#harness.killServer();
      if (isDone) this.#note(victim, victim);
      return;
    }
    // The watchdog becomes one when it forks the supervisor.
    if (!(await this.#waitFor(victim === 'watchdog' ? 'supervisor' : victim))) return;
    await delay(after);
    while (!this.hasEnded) {
      const [found] = this.#harness.watch.living(this.id, victim);
      if (found && signalIfThere(found.pid, 'SIGKILL')) {
        this.#note(victim, `${victim} ${found.pid} (${found.command.split(' ').slice(0, 3).join(' ').slice(-40)})`);
        return;
      }
      await delay(5);
    }
  }

  #note(victim: Victim, what: string): void {
    this.killed.push(victim);
    this.#log(`kill ${what}`);
  }

  async stop({ phase, after, force }: PlannedStop): Promise<void> {
    if (phase !== 'waiting' && !(await this.#waitFor(PHASE_ROLES[phase]))) return;
    await delay(after);
    if (this.hasEnded) return;
    const { client, project } = this.#harness;
    const killedBefore = this.killed.length;
    const since = performance.now();
    const params = { ...project.params, task_id: this.id };
    let isAnswerLost = false;
    const ask = () =>
      client.call('stopTask', { params, body: { force } }).catch((error: unknown) => {
        isAnswerLost ||= !(error instanceof CallRefused) && !isNotReceived(error);
        throw error;
      });
    try {
      await this.#harness.patiently(ask);
    } catch (error) {
      if (!(error instanceof CallRefused && error.status === 409)) throw error;
      // The task has ended by itself, or by a stop whose answer was lost with the server.
      this.mayBeStopped = isAnswerLost;
      return;
    }
    this.mayBeStopped = true;
    this.#log(`${force ? 'force stop' : 'stop'} in ${phase}`);
    await until(
      `no process of task ${this.id}`,
      () => this.hasEnded || this.#harness.watch.living(this.id).length === 0,
      STUCK_MS,
    );
    if (killedBefore === 0 && this.killed.length === 0) this.stopMs = { force, ms: performance.now() - since };
  }
}

const evidenceOf = async (harness: CrashHarness, task: Task, kind: Kind, target?: Target): Promise<Evidence> => {
  const params = { ...harness.project.params, task_id: task.id };
  const lines = await harness.patiently(() => harness.project.rawLog(task.id));
  const { total, sealed } = await harness.patiently(() =>
    harness.client.call('getTaskLines', { params, query: { limit: '1' } }),
  );
  return {
    task,
    kind,
    log: lines.map((line) => line.replace(OWN_LINE, '')),
    endsWithOwnLine: OWN_LINE.test(lines.at(-1) ?? ''),
    total,
    isClosed: sealed,
    starts: harness.startsOf(task.id),
    killed: target?.killed ?? [],
    mayBeStopped: target?.mayBeStopped ?? false,
  };
};

/** Judges a task that was neither killed nor stopped, such as the deploy that follows a build. */
export const judgeOther = async (harness: CrashHarness, id: number, kind: Kind): Promise<string[]> => {
  const task = await harness.ended(id, STUCK_MS);
  const evidence = await evidenceOf(harness, task, kind);
  return judge(evidence);
};

/** Daemons that a playbook starts on purpose remain when it ends by itself. */
const mayLeaveDaemons = ({ kind, task }: Evidence): boolean =>
  kind === 'daemon' && (task.status === 'success' || ENDED_BY_ITSELF.includes(task.end_reason?.code ?? ''));

const leftProcesses = async (harness: CrashHarness, target: Target, evidence: Evidence): Promise<string[]> => {
  if (mayLeaveDaemons(evidence)) {
    target.leavesDaemons = true;
    return [];
  }
  const isGone = await until(
    'the end of the processes',
    () => harness.watch.living(target.id).length === 0 || undefined,
    LEFT_MS,
  ).catch(() => false);
  if (isGone) return [];
  return harness.watch.living(target.id).map(({ pid, command }) => `process ${pid} remains: ${command}`);
};

/** Runs one planned run to its end, and judges it. */
export const playRun = async (harness: CrashHarness, planned: PlannedRun): Promise<PlayedRun> => {
  const { kind, number, kills, stop } = planned;
  const template = await harness.template(kind, number);
  if (kind === 'heavy') harness.commitMuch();
  const start = () => harness.patiently(() => harness.project.run(template));
  // A task waits only if another one of its template runs.
  const before = kind === 'queued' ? await start() : undefined;
  const { id } = await start();
  const target = new Target(id, harness);
  const actions = Promise.all([...kills.map((kill) => target.kill(kill)), stop && target.stop(stop)]);
  // Awaited below. Without a handler, an earlier rejection would end the process.
  actions.catch(() => undefined);
  const violations: string[] = [];
  let status = 'stuck';
  try {
    const task = await harness.ended(id, STUCK_MS);
    status = task.status;
    target.hasEnded = true;
    await actions;
    const evidence = await evidenceOf(harness, task, kind, target);
    violations.push(...judge(evidence), ...(await leftProcesses(harness, target, evidence)));
  } catch (error) {
    target.hasEnded = true;
    violations.push(error instanceof Error ? error.message : String(error));
    await actions.catch(() => undefined);
  }
  return {
    planned,
    tasks: before ? [before.id, id] : [id],
    actions: target.actions,
    outcome: status,
    violations,
    stopMs: target.stopMs,
    leavesDaemons: target.leavesDaemons,
  };
};
