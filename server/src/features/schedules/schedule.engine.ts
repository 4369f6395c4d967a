import type { Clock } from '../../clock.ts';
import type { RunnerRefusal } from '../../http/runner-refusal.ts';
import { WorkerLoop } from '../../worker-loop.ts';
import { ClockSteps } from './clock-steps.ts';
import { parseCron } from './cron.ts';
import { type DueDecision, decideDue } from './due-decision.ts';
import type { ScheduleRow } from './schedule.store.ts';
import { type CommitLook, type Firing, fireSchedule } from './schedule-firing.ts';
import { resetAhead, retimeZone } from './schedule-retiming.ts';

/** A branch's newest commit, why it cannot be told, or undefined while no runner answers. */
export type CommitAnswer = { readonly commit: string } | RunnerRefusal | undefined;

export interface ScheduleEngineNeeds<Task> extends Firing<Task> {
  readonly clock: Clock;
  readonly newestCommit: (repositoryId: number) => Promise<CommitAnswer>;
  /** A task is stored: tells everybody who watches, and dispatch. */
  readonly launched: (task: Task) => void;
  readonly onError: (error: unknown) => void;
}

/** However far the next due time is, we look so often: clocks are set, other servers change schedules and die. */
export const LOOK_MS = 5_000;

/** So long we look for a runner that can tell a commit: it may be about to connect, or be another server's. */
const NO_RUNNER_MS = 60_000;

const START: CommitLook = { kind: 'start', commit: null };

/**
 * Starts what falls due. Every server runs one; which of them has a due time is decided in the database alone, so
 * none needs to know of the others. Sleeps until the next due time, and looks in between.
 */
export class ScheduleEngine<Task> {
  readonly #needs: ScheduleEngineNeeds<Task>;
  /** Questions under way by schedule: none is asked twice, and none holds up the others. */
  readonly #asking = new Map<number, Promise<void>>();
  /** What is being written: an end waits for it, but for no runner's answer. */
  readonly #writing = new Set<Promise<void>>();
  readonly #unanswered = new Map<number, { readonly due: string; readonly since: number }>();
  readonly #steps: ClockSteps;
  readonly #loop: WorkerLoop;
  #started = false;
  #zoned = false;
  #stopped = false;

  constructor(needs: ScheduleEngineNeeds<Task>) {
    this.#needs = needs;
    const { clock, onError } = needs;
    this.#loop = new WorkerLoop({ work: () => this.#look(), everyMs: LOOK_MS, clock, onError });
    this.#steps = new ClockSteps(needs.clock);
  }

  start(): void {
    this.#started = true;
    this.#loop.start();
  }

  /** No further task is started once this resolves. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#loop.stop();
    await Promise.allSettled(this.#writing);
  }

  /** Looks for due times soon: schedules were changed. Calls while a look is under way lead to one more look. */
  wake(): void {
    if (this.#started) this.#loop.wake();
  }

  /** Resolves when no look is under way and no question is open. */
  async quiet(): Promise<void> {
    while (this.#loop.isRunning || this.#asking.size > 0)
      await Promise.all([this.#loop.idle(), ...this.#asking.values()]);
  }

  async #look(): Promise<number | undefined> {
    const { database, timezone } = this.#needs;
    const now = this.#steps.read();
    if (!this.#zoned) await retimeZone(database, timezone, now);
    this.#zoned = true;
    await resetAhead(database, timezone, now);
    const rows = await database.read
      .selectFrom('schedule')
      .selectAll()
      .where('active', '=', 1)
      .where('next_due', '<=', now.toISOString())
      .orderBy('next_due')
      .execute();
    for (const row of rows) {
      if (this.#stopped) return undefined;
      await this.#handle(row, now).catch(this.#needs.onError);
    }
    return this.#untilNext();
  }

  async #handle(row: ScheduleRow, now: Date): Promise<void> {
    if (row.next_due === null || this.#asking.has(row.id)) return;
    const cron = parseCron(row.cron_format, this.#needs.timezone);
    // A look for a new commit finds what all the due times before it would have found.
    const decision = decideDue(cron, new Date(row.next_due), now, {
      once: row.repository_id !== null,
      skippedTo: this.#steps.skippedTo,
    });
    if (row.repository_id === null || !decision.run) {
      await this.#fire(row, decision, START);
      return;
    }
    const asking = this.#ask(row, row.repository_id, decision)
      .catch(this.#needs.onError)
      .finally(() => void this.#asking.delete(row.id));
    this.#asking.set(row.id, asking);
  }

  /** Outside of any transaction: a repository may take long to answer, and a runner may be far away. */
  async #ask(row: ScheduleRow, repositoryId: number, decision: DueDecision): Promise<void> {
    const answer = await this.#needs.newestCommit(repositoryId).catch((error: unknown) => {
      if (!this.#stopped) this.#needs.onError(error);
      return undefined;
    });
    if (this.#stopped || (!answer && this.#mayStillAnswer(row))) return;
    this.#unanswered.delete(row.id);
    const writing = this.#fire(row, decision, this.#commitLook(row, answer));
    this.#writing.add(writing);
    await writing.finally(() => this.#writing.delete(writing));
  }

  #mayStillAnswer(row: ScheduleRow): boolean {
    const now = this.#needs.clock.monotonic();
    const known = this.#unanswered.get(row.id);
    if (known?.due === row.next_due) return now - known.since < NO_RUNNER_MS;
    this.#unanswered.set(row.id, { due: row.next_due ?? '', since: now });
    return true;
  }

  #commitLook(row: ScheduleRow, answer: CommitAnswer): CommitLook {
    if (!answer) return { kind: 'not_known', reason: { code: 'reason.no_runner' } };
    if ('refused' in answer) return { kind: 'not_known', reason: answer.refused };
    return answer.commit === row.seen_commit ? { kind: 'nothing_new' } : { kind: 'start', commit: answer.commit };
  }

  async #fire(row: ScheduleRow, decision: DueDecision, look: CommitLook): Promise<void> {
    const task = await fireSchedule(this.#needs, row, decision, look, this.#needs.clock.now());
    if (task) this.#needs.launched(task);
    // Each due time makes a task of its own, also when several were slept through.
    if (decision.next && decision.next <= this.#needs.clock.now()) this.wake();
  }

  /** Milliseconds until the next due time; what is still overdue was left for the next look. */
  async #untilNext(): Promise<number | undefined> {
    const { database, clock } = this.#needs;
    const now = clock.now();
    const soon = await database.read
      .selectFrom('schedule')
      .select('next_due')
      .where('active', '=', 1)
      .where('next_due', '>', now.toISOString())
      .orderBy('next_due')
      .limit(1)
      .executeTakeFirst();
    return soon?.next_due ? Date.parse(soon.next_due) - now.getTime() : undefined;
  }
}
