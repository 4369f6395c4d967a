import { type EndReason, type InstalledApp, isFinal, MAX_REASON_TEXT } from '@signalbox/contract';
import type { HeldRun, RunnerMessage, ServerMessage } from '@signalbox/contract/link';
import type { Clock } from '../clock.ts';
import type { Database } from '../database/database.ts';
import { storedEndReason } from '../end-reason.ts';
import type { Line } from '../logs/block-codec.ts';
import type { LogStore } from '../logs/log-store.ts';
import type { SealKeys } from '../secrets/seal-keys.store.ts';
import { type Claim, releaseLease } from './claim.ts';
import { endWithoutRunner } from './end-without-runner.ts';
import { HELD } from './held-tasks.ts';
import { recordLateReturn } from './late-run.ts';
import { OpenQuestions } from './open-questions.ts';
import { reportedReason } from './reported-reason.ts';
import type { RunRecorder, TaskRow } from './run-recorder.ts';
import type { RunnerAdmission } from './runner-admission.ts';
import type { FrameSubject } from './runner-frame.ts';
import { UnreportedLeases } from './unreported-leases.ts';

type Of<T extends RunnerMessage['type']> = Extract<RunnerMessage, { type: T }>;

/** Messages that must be handled in the order in which they were said. */
type StateMessage = Of<'hello' | 'heartbeat' | 'accepted' | 'refused' | 'commit' | 'started' | 'ended'>;

export interface SessionNeeds {
  readonly runnerId: number;
  /** What it has proved itself with: worth nothing once it is no longer stored. */
  readonly tokenHash: string;
  readonly database: Database;
  readonly logs: LogStore;
  readonly clock: Clock;
  readonly recorder: RunRecorder;
  readonly admission: RunnerAdmission;
  readonly sealKeys: SealKeys;
  readonly send: (message: ServerMessage) => void;
  /** The link can go on no more: it is closed, the runner comes again and everything is compared anew. */
  readonly fail: (error: unknown) => void;
  /** The link is closed for good, behind what was sent. */
  readonly dismiss: () => void;
  /** A run has ended or a lease is free again: somebody else may have their turn. */
  readonly onRoom: () => void;
}

const END_EVENTS = { success: 'succeeded', error: 'failed', stopped: 'stopped' } as const;
const LOST = 'The runner lost this run: how the playbook ended is not known. It was not started again.';

/** What one connected runner may do and says: only runs that are leased to it, each by the epoch of its lease. */
export class RunnerSession {
  readonly #needs: SessionNeeds;
  readonly #runs = new Map<number, { readonly epoch: number; readonly projectId: number }>();
  #chain: Promise<void> = Promise.resolve();
  /** Whether what the runner holds was compared with what it was leased. */
  #isCompared = false;
  #isDraining = false;
  #hasSaidHello = false;
  readonly #unreported: UnreportedLeases;

  /** Whether the runner is asked to end once it is idle, so that a new one replaces it. */
  isReplacedWhenIdle = false;

  /** The apps that the runner can run. */
  apps: readonly InstalledApp[] = [];

  /** Set when this process of the runner was admitted. */
  connection: string | undefined;

  /** What it has been asked beside its runs. */
  readonly questions: OpenQuestions;

  constructor(needs: SessionNeeds) {
    this.#needs = needs;
    this.questions = new OpenQuestions(needs.send, needs.clock);
    this.#unreported = new UnreportedLeases(needs.clock);
  }

  /** The lease goes to this runner: from now on it may speak of the task. */
  hold({ id, epoch, project_id }: Claim): void {
    this.#runs.set(id, { epoch, projectId: project_id });
  }

  holds(taskId: number): boolean {
    return this.#runs.has(taskId);
  }

  /** The lease is given back before the runner heard of it. */
  letGo(taskId: number): void {
    this.#runs.delete(taskId);
  }

  /** Called when the link has closed. */
  async left(): Promise<void> {
    const { admission, runnerId } = this.#needs;
    // Without the database, the next process is admitted only after its challenge times out.
    if (this.connection !== undefined) await admission.left(runnerId, this.connection).catch(() => undefined);
  }

  /** Whether the runner has said that it takes no more orders. */
  get isDraining(): boolean {
    return this.#isDraining;
  }

  /** Whether the runner holds the subject of a large frame. A run that it does not hold is abandoned on the runner. */
  awaits(subject: FrameSubject): boolean {
    return subject.of === 'query' ? this.questions.isOpen(subject.question_id) : this.#leased(subject) !== undefined;
  }

  /**
   * Handles a message; state in order, output as fast as the log store takes it. Resolves when it is handled. Until it has
   * said hello a runner has nothing to say: an earlier link of it may still be in use.
   */
  async receive(message: RunnerMessage): Promise<void> {
    this.#hasSaidHello ||= message.type === 'hello';
    if (!this.#hasSaidHello) return;
    switch (message.type) {
      case 'output':
        return await this.#output(message);
      case 'results':
        return await this.#results(message);
      case 'answer':
        this.questions.answer(message.question_id, message.answer);
        return;
      default:
        if (message.type === 'heartbeat') {
          if (message.draining) this.#isDraining = true;
          if (message.apps) this.apps = message.apps;
        }
        this.#chain = this.#chain.then(() => this.#state(message)).catch(this.#needs.fail);
        return await this.#chain;
    }
  }

  async #state(message: StateMessage): Promise<void> {
    switch (message.type) {
      case 'hello':
        return await this.#reconcile(message.runs);
      case 'heartbeat':
        return await this.#beat(message.runs);
      case 'accepted':
        return await this.#accepted(message.task_id, message.epoch);
      case 'refused':
        return await this.#refused(message);
      case 'commit':
        if (this.#leased(message)) {
          await this.#needs.recorder.storeCommit(
            message.task_id,
            message.epoch,
            message.commit_hash,
            message.commit_message,
          );
        }
        return;
      case 'started':
        if (this.#leased(message)) await this.#needs.recorder.apply(message.task_id, 'started', message.epoch);
        return;
      case 'ended':
        return await this.#ended(message);
    }
  }

  #leased({ task_id, epoch }: { task_id: number; epoch: number }): { projectId: number } | undefined {
    const run = this.#runs.get(task_id);
    if (run?.epoch === epoch) return run;
    // Output that is quicker than the comparison is passed over: what is to be sent is said with the run's `resume`.
    if (this.#isCompared) this.#needs.send({ type: 'drop', task_id, epoch });
    return undefined;
  }

  /** What another server has done to this runner or its tasks is noticed here. */
  async #beat(runs: readonly HeldRun[]): Promise<void> {
    const { database, runnerId, tokenHash, send } = this.#needs;
    const mine = database.read.selectFrom('runner').select('id').where('id', '=', runnerId);
    if (!(await mine.where('token_hash', '=', tokenHash).executeTakeFirst())) {
      this.dismiss();
      return;
    }
    if (this.connection !== undefined && !(await this.#needs.admission.isHolder(runnerId, this.connection))) {
      this.#needs.fail(new Error('another process or link of the same runner was admitted'));
      return;
    }
    if (this.isReplacedWhenIdle && runs.length === 0 && !this.#isDraining) send({ type: 'drain' });
    // An idle runner leases nothing, so nobody needs to see it live; the disk is left alone.
    if (runs.length > 0) {
      await database.autocommit
        .updateTable('runner')
        .set((eb) => ({ beats: eb('beats', '+', 1) }))
        .where('id', '=', runnerId)
        .execute();
    }
    const active = runs.filter(({ state }) => state !== 'ended').map(({ task_id }) => task_id);
    const tasks = await database.read
      .selectFrom('task')
      .selectAll()
      .where('runner_id', '=', runnerId)
      .where((eb) => eb.or([eb('status', 'in', HELD), ...(active.length > 0 ? [eb('id', 'in', active)] : [])]))
      .execute();
    for (const { id, epoch, status, stop_forced } of tasks.filter((task) => active.includes(task.id))) {
      if (status === 'stopping') send({ type: 'stop', task_id: id, epoch, force: stop_forced === 1 });
      else if (isFinal(status)) this.#drop(id, epoch);
    }
    const reported = new Set(runs.map(({ task_id }) => task_id));
    const unreported = tasks.filter(({ id, status }) => !isFinal(status) && !reported.has(id));
    for (const task of this.#unreported.overdue(unreported, this.#isDraining)) await this.#withdraw(task);
  }

  /** Ends a lease of which the runner knows nothing: what never began is given again, the rest is lost. */
  async #withdraw(task: TaskRow): Promise<void> {
    if (task.status !== 'waiting') return await this.#end(task, 'lost', LOST);
    await releaseLease(this.#needs.database, task.id, task.epoch);
    this.#runs.delete(task.id);
    this.#needs.onRoom();
  }

  async #accepted(taskId: number, epoch: number): Promise<void> {
    if (!this.#leased({ task_id: taskId, epoch })) return;
    if (await this.#needs.recorder.apply(taskId, 'accepted', epoch))
      this.#needs.send({ type: 'go', task_id: taskId, epoch });
    else await this.#again(taskId, epoch);
  }

  /** Nothing was started, and would not be the next time either: the task says so instead of waiting for ever. */
  async #refused({ task_id, epoch, why, end_reason }: Of<'refused'>): Promise<void> {
    const run = this.#leased({ task_id, epoch });
    if (!run) return;
    const { recorder, onRoom } = this.#needs;
    if (await recorder.apply(task_id, 'accepted', epoch))
      await recorder.end(
        run.projectId,
        task_id,
        'failed',
        epoch,
        `${why} The task was not started.`,
        end_reason ?? { code: 'runner.refused', params: { detail: why.slice(0, MAX_REASON_TEXT) } },
      );
    this.#runs.delete(task_id);
    onRoom();
  }

  /** The task was not waiting: it was stopped meanwhile, or our go was lost on its way. */
  async #again(taskId: number, epoch: number): Promise<void> {
    const task = await this.#find(taskId, epoch);
    if (task?.status === 'starting') this.#needs.send({ type: 'go', task_id: taskId, epoch });
    else if (task?.status === 'stopping') await this.#end(task, 'stopped', undefined);
    else this.#drop(taskId, epoch);
  }

  /** The token is worth nothing any more: nothing of what the runner holds goes on. */
  dismiss(): void {
    for (const [taskId, { epoch }] of this.#runs) this.#drop(taskId, epoch);
    this.questions.close();
    this.#needs.dismiss();
  }

  #drop(taskId: number, epoch: number): void {
    this.#runs.delete(taskId);
    this.#needs.send({ type: 'drop', task_id: taskId, epoch });
  }

  async #end(task: TaskRow, event: 'lost' | 'stopped', words: string | undefined): Promise<void> {
    const reason: EndReason | undefined =
      event === 'lost' ? { code: 'runner.lost', params: { runner: task.runner_name } } : undefined;
    await this.#needs.recorder.end(task.project_id, task.id, event, task.epoch, words, reason);
    this.#drop(task.id, task.epoch);
    this.#needs.onRoom();
  }

  async #ended(message: Of<'ended'>): Promise<void> {
    const { task_id, epoch, lines } = message;
    const run = this.#leased(message);
    if (!run) return;
    const { next_line } = await this.#needs.logs.head(task_id);
    const missing = lines - (next_line - 1);
    const words = missing > 0 ? `The log is incomplete: ${missing} of ${lines} lines are missing.` : undefined;
    // It was, also where that word was lost: a task that waits cannot end, and would be given to another one with its log sealed.
    await this.#needs.recorder.apply(task_id, 'accepted', epoch);
    // What succeeded was started, also where that word was lost with a link: nothing leads from starting to success.
    if (message.result === 'success') await this.#needs.recorder.apply(task_id, 'started', epoch);
    const event = END_EVENTS[message.result];
    const reason = await reportedReason(message, this.#needs.logs);
    if (!(await this.#needs.recorder.end(run.projectId, task_id, event, epoch, words, reason)))
      return this.#drop(task_id, epoch);
    this.#runs.delete(task_id);
    this.#needs.send({ type: 'settled', task_id, epoch });
    this.#needs.onRoom();
  }

  async #output(message: Of<'output'>): Promise<void> {
    const run = this.#leased(message);
    if (!run) return;
    const { task_id, epoch, first, offset, times } = message;
    const own = new Set(message.own);
    const lines = message.lines.map((text, index): Line => {
      const time = times[index] ?? 0;
      return own.has(first + index) ? [time, text, 'runner'] : [time, text];
    });
    await this.#needs.recorder
      .storeOutput(run.projectId, { taskId: task_id, epoch, first, lines, offset })
      .then((head) =>
        this.#needs.send({ type: 'output_stored', task_id, epoch, next_line: head.next_line, offset: head.offset }),
      )
      .catch(this.#needs.fail);
  }

  async #results(message: Of<'results'>): Promise<void> {
    const run = this.#leased(message);
    if (!run) return;
    const { task_id, epoch, first, records } = message;
    await this.#needs.recorder
      .storeResults(run.projectId, { taskId: task_id, epoch, first, records })
      .then((head) => this.#needs.send({ type: 'results_stored', task_id, epoch, next_result: head.next_result }))
      .catch(this.#needs.fail);
  }

  async #find(taskId: number, epoch: number): Promise<TaskRow | undefined> {
    return await this.#needs.database.read
      .selectFrom('task')
      .selectAll()
      .where('id', '=', taskId)
      .where('runner_id', '=', this.#needs.runnerId)
      .where('epoch', '=', epoch)
      .executeTakeFirst();
  }

  /** Compares what the runner holds with what it was leased; afterwards both sides know the same. */
  async #reconcile(held: readonly HeldRun[]): Promise<void> {
    for (const run of held) await this.#reconcileRun(run);
    const leased = await this.#needs.database.read
      .selectFrom('task')
      .selectAll()
      .where('runner_id', '=', this.#needs.runnerId)
      .where('status', 'in', HELD)
      .execute();
    const known = new Set(held.map((run) => run.task_id));
    for (const task of leased.filter((one) => !known.has(one.id) && !this.#runs.has(one.id))) {
      await this.#withdraw(task);
    }
    this.#isCompared = true;
    this.#needs.onRoom();
  }

  async #reconcileRun({ task_id, epoch, state }: HeldRun): Promise<void> {
    const task = await this.#find(task_id, epoch);
    if (!task) return this.#drop(task_id, epoch);
    if (await this.#hasEnded(task)) return await this.#tooLate(task, state === 'ended');
    this.hold(task);
    if (state === 'accepted') return await this.#accepted(task_id, epoch);
    const { next_line, offset, next_result } = await this.#needs.logs.head(task_id);
    const unsealing = state === 'ended' ? this.#unsealing(task) : {};
    this.#needs.send({ type: 'resume', task_id, epoch, next_line, offset, next_result, ...unsealing });
    // What the runner said while nobody listened; a compare-and-set makes saying it again harmless.
    if (state === 'playing') await this.#needs.recorder.apply(task_id, 'started', epoch);
    if (task.status === 'stopping') this.#needs.send({ type: 'stop', task_id, epoch, force: task.stop_forced === 1 });
  }

  /** Whether a task is final; an end without its runner, of which only the log was written, is finished first. */
  async #hasEnded(task: TaskRow): Promise<boolean> {
    if (isFinal(task.status)) return true;
    const event = await endWithoutRunner(this.#needs.logs, task);
    const reason = storedEndReason(task.end_reason, task.end_params);
    if (event) await this.#needs.recorder.end(task.project_id, task.id, event, task.epoch, undefined, reason);
    return event !== undefined;
  }

  /** A runner that was started anew has what must be masked only as its earlier process sealed it. */
  #unsealing({ id, epoch }: TaskRow): { seal_key: string } {
    return { seal_key: this.#needs.sealKeys(id, epoch) };
  }

  /** The runner has a run whose task is final: that it was told, or that it came back too late. */
  async #tooLate(task: TaskRow, hasEnded: boolean): Promise<void> {
    const { logs, database, clock, runnerId, send } = this.#needs;
    const late = (await endWithoutRunner(logs, task)) !== undefined;
    if (late) await recordLateReturn(database, task, runnerId, clock.now());
    this.#runs.delete(task.id);
    const run = { task_id: task.id, epoch: task.epoch, late };
    if (hasEnded) send({ type: 'settled', ...run, ...(late ? this.#unsealing(task) : {}) });
    else send({ type: 'drop', ...run });
  }
}
