import type { Message } from '@signalbox/contract';
import { reasonOf } from '../../audit/reason.ts';
import { SYSTEM } from '../../audit/record-event.ts';
import type { Clock } from '../../clock.ts';
import { ApiError } from '../../http/errors/api-error.ts';
import type { RunnerRefusal } from '../../http/errors/runner-refusal.ts';
import type { CheckChoices } from '../../stored-answers/launch-checks.ts';
import { WorkerLoop } from '../../worker-loop.ts';
import { ClockSteps } from './clock-steps.ts';
import { planDue } from './due-plan.ts';
import { type HeldRow, planHeld } from './held-runs.ts';
import { type ScheduleRow, startOf } from './schedule.store.ts';
import { type Firing, fireSchedule, type ScheduleToFire } from './schedule-firing.ts';
import { applyTimeZone, resetAfterClockError } from './schedule-retiming.ts';
import { namedLaunches, valuesOf } from './schedule-saved-launch.ts';
import type { StartCheck } from './schedule-start.ts';
import { timingOf } from './timing.ts';

/** The newest commit of a branch, the reason why it is unknown, or undefined when no runner answers. */
export type CommitAnswer = { readonly commit: string } | RunnerRefusal | undefined;

interface ScheduleChoices {
  /** Whether the survey of a template has choices that come from a source. */
  readonly comeFromSources: (templateId: number) => Promise<boolean>;
  /** Checks answers against the sources of their choices, which may take long to answer. */
  readonly check: CheckChoices;
}

export interface ScheduleEngineDeps<Task> extends Firing<Task> {
  readonly clock: Clock;
  readonly newestCommit: (repositoryId: number) => Promise<CommitAnswer>;
  /** Checks answers whose choices come from a source. Without it, none is checked. */
  readonly choices?: ScheduleChoices;
  /** Called with a new task, to update open pages and wake the dispatcher. */
  readonly launched: (task: Task) => void;
  /** Called after a due time of a schedule of a project was handled, to update open pages. */
  readonly handled?: (projectId: number) => void;
  readonly onError: (error: unknown) => void;
}

/**
 * Maximum time between two polls, in milliseconds, because clocks can be set and other servers can change schedules
 * or die.
 */
export const POLL_MS = 5_000;

/**
 * How long to wait for a runner that can read a commit, in milliseconds. It may be about to connect, or be connected
 * to another server.
 */
const NO_RUNNER_MS = 60_000;

const START: StartCheck = { kind: 'start', commit: null };

/**
 * Starts tasks when schedules fall due. Every server runs one engine. The database decides which server handles a due
 * time. Sleeps until the next due time, with polls in between.
 */
export class ScheduleEngine<Task> {
  readonly #deps: ScheduleEngineDeps<Task>;
  /** Open runner queries by schedule. A schedule has at most one, and they do not block other schedules. */
  readonly #asking = new Map<number, Promise<void>>();
  /** Transactions in progress. `stop` waits for them, but not for answers of runners. */
  readonly #writing = new Set<Promise<void>>();
  readonly #unanswered = new Map<number, { readonly due: string; readonly since: number }>();
  readonly #steps: ClockSteps;
  readonly #loop: WorkerLoop;
  #started = false;
  #zoned = false;
  #stopped = false;

  constructor(deps: ScheduleEngineDeps<Task>) {
    this.#deps = deps;
    const { clock, onError } = deps;
    this.#loop = new WorkerLoop({ work: () => this.#poll(), everyMs: POLL_MS, clock, onError });
    this.#steps = new ClockSteps(deps.clock);
  }

  start(): void {
    this.#started = true;
    this.#loop.start();
  }

  /** After this resolves, no further task is started. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#loop.stop();
    await Promise.allSettled(this.#writing);
  }

  /** Checks for due times soon, because schedules were changed. Calls during a round lead to one more round. */
  wake(): void {
    if (this.#started) this.#loop.wake();
  }

  /** Resolves when no round is running. Queries may be open. */
  idle(): Promise<void> {
    return this.#loop.idle();
  }

  /** Resolves when no round is running and no query is open. */
  async quiet(): Promise<void> {
    while (this.#loop.isRunning || this.#asking.size > 0)
      await Promise.all([this.#loop.idle(), ...this.#asking.values()]);
  }

  async #poll(): Promise<number | undefined> {
    const { database, timezone } = this.#deps;
    const now = this.#steps.read();
    if (!this.#zoned) await applyTimeZone(database, timezone, now);
    this.#zoned = true;
    await resetAfterClockError(database, timezone, now);
    const rows = await database.read
      .selectFrom('schedule')
      .selectAll()
      .where('active', '=', 1)
      .where('next_due', '<=', now.toISOString())
      .orderBy('next_due')
      .execute();
    let delayed = Number.POSITIVE_INFINITY;
    for (const row of rows) {
      if (this.#stopped) return undefined;
      const start = startOf(row.next_due ?? '', row).getTime();
      if (start > now.getTime()) delayed = Math.min(delayed, start - now.getTime());
      else await this.#handle(row, now).catch(this.#deps.onError);
    }
    for (const row of await this.#heldUntil(now)) {
      if (this.#stopped) return undefined;
      await this.#perform({ row, plan: planHeld(row, now), isHeld: true }).catch(this.#deps.onError);
    }
    return Math.min(delayed, (await this.#untilNext()) ?? delayed);
  }

  async #handle(row: ScheduleRow, now: Date): Promise<void> {
    if (row.next_due === null) return;
    // A delayed due time counts as if it were due at the end of its delay.
    const undelayed = (moment: Date) => new Date(moment.getTime() - row.delay_seconds * 1000);
    const { skippedTo } = this.#steps;
    const plan = planDue(timingOf(row, this.#deps.timezone), new Date(row.next_due), undelayed(now), {
      // The newest commit covers every due time before.
      once: row.repository_id !== null,
      skippedTo: skippedTo && undelayed(skippedTo),
    });
    await this.#perform({ row, plan, isHeld: false });
  }

  /** Schedules whose held runs may start. Due times of the same moment are handled before, and include them. */
  async #heldUntil(now: Date): Promise<HeldRow[]> {
    const rows = await this.#deps.database.read
      .selectFrom('schedule')
      .selectAll()
      .where('active', '=', 1)
      .where('held_until', '<=', now.toISOString())
      .orderBy('held_until')
      .execute();
    return rows as HeldRow[];
  }

  async #perform(due: ScheduleToFire): Promise<void> {
    const { row, plan } = due;
    if (this.#asking.has(row.id)) return;
    const asksSource = async () => (await this.#deps.choices?.comeFromSources(row.template_id)) === true;
    if (!plan.run || (row.repository_id === null && !(await asksSource()))) {
      await this.#fire(due, START);
      return;
    }
    const asking = this.#ask(due)
      .catch(this.#deps.onError)
      .finally(() => void this.#asking.delete(row.id));
    this.#asking.set(row.id, asking);
  }

  /** Runs outside of transactions, because repositories and runners may take long to answer. */
  async #ask(due: ScheduleToFire): Promise<void> {
    const { row } = due;
    const commit = row.repository_id === null ? START : await this.#askCommit(due, row.repository_id);
    if (!commit || this.#stopped) return;
    const wrong = commit.kind === 'start' ? await this.#findWrongChoice(row) : undefined;
    if (this.#stopped) return;
    const writing = this.#fire(due, wrong ? { kind: 'refused', reason: wrong } : commit);
    this.#writing.add(writing);
    await writing.finally(() => this.#writing.delete(writing));
  }

  /** Undefined while a runner may still answer. */
  async #askCommit(due: ScheduleToFire, repositoryId: number): Promise<StartCheck | undefined> {
    const answer = await this.#deps.newestCommit(repositoryId).catch((error: unknown) => {
      if (!this.#stopped) this.#deps.onError(error);
      return undefined;
    });
    if (this.#stopped || (!answer && this.#mayStillAnswer(due))) return undefined;
    this.#unanswered.delete(due.row.id);
    return this.#checkCommit(due.row, answer);
  }

  /** Why an answer of a schedule cannot be used, or not be checked. */
  async #findWrongChoice(row: ScheduleRow): Promise<Message | undefined> {
    const { choices, database } = this.#deps;
    const { environment } = valuesOf(row, await namedLaunches(database.read, [row]));
    try {
      await choices?.check({ projectId: row.project_id, templateId: row.template_id, environment, actor: SYSTEM });
      return undefined;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      return reasonOf(error);
    }
  }

  #mayStillAnswer({ row, isHeld }: ScheduleToFire): boolean {
    const now = this.#deps.clock.monotonic();
    const known = this.#unanswered.get(row.id);
    const due = isHeld ? row.held_due : row.next_due;
    if (known?.due === due) return now - known.since < NO_RUNNER_MS;
    this.#unanswered.set(row.id, { due: due ?? '', since: now });
    return true;
  }

  #checkCommit(row: ScheduleRow, answer: CommitAnswer): StartCheck {
    if (!answer) return { kind: 'refused', reason: { code: 'reason.no_runner' } };
    if ('refused' in answer) return { kind: 'refused', reason: answer.refused };
    return answer.commit === row.seen_commit ? { kind: 'nothing_new' } : { kind: 'start', commit: answer.commit };
  }

  async #fire(due: ScheduleToFire, check: StartCheck): Promise<void> {
    const { row, plan } = due;
    const task = await fireSchedule(this.#deps, due, check, this.#deps.clock.now());
    if (task) this.#deps.launched(task);
    this.#deps.handled?.(row.project_id);
    // Each due time starts a task of its own, even when the server slept through several.
    if (plan.next && plan.next <= this.#deps.clock.now()) this.wake();
  }

  /** Milliseconds until the next due time or the end of a held run. Overdue schedules wait for the next round. */
  async #untilNext(): Promise<number | undefined> {
    const { database, clock } = this.#deps;
    const now = clock.now();
    const first = (column: 'next_due' | 'held_until') =>
      database.read
        .selectFrom('schedule')
        .select(`${column} as at`)
        .where('active', '=', 1)
        .where(column, '>', now.toISOString())
        .orderBy(column)
        .limit(1)
        .executeTakeFirst();
    const found = [await first('next_due'), await first('held_until')].flatMap((row) => row?.at ?? []);
    return found.length === 0 ? undefined : Math.min(...found.map((at) => Date.parse(at))) - now.getTime();
  }
}
