import { type EndReason, isFinal, MAX_REASON_TEXT, NOT_FINAL_STATUSES } from '@signalbox/contract';
import type { ReportedRun, RunnerMessage, ServerMessage } from '@signalbox/contract/link';
import type { Clock } from '../../clock.ts';
import type { Database } from '../../database/database.ts';
import { storedEndReason } from '../../end-reason.ts';
import type { Line } from '../../logs/block-codec.ts';
import type { LogStore } from '../../logs/log-store.ts';
import type { RunKeys } from '../../secrets/run-keys.store.ts';
import { type Claim, releaseLease } from '../claim/claim.ts';
import { endWithoutRunner } from '../leases/end-without-runner.ts';
import { recordOrphanReturn } from '../leases/orphaned-run.ts';
import { UnreportedLeases } from '../leases/unreported-leases.ts';
import { OpenQueries } from '../queries/open-queries.ts';
import { LinkCheck } from './link-check.ts';
import { reasonOfRunner, reportedReason } from './reported-reason.ts';
import type { RunRecorder, TaskRow } from './run-recorder.ts';
import type { RunnerAdmission } from './runner-admission.ts';
import type { FrameSubject } from './runner-frame.ts';
import type { RunnerTokens } from './runner-tokens.ts';
import { SessionToken } from './session-token.ts';

type Of<T extends RunnerMessage['type']> = Extract<RunnerMessage, { type: T }>;

/** Messages that must be handled in the order in which they were sent. */
type StateMessage = Of<
  'hello' | 'heartbeat' | 'accepted' | 'refused' | 'commit' | 'started' | 'ended' | 'token_stored'
>;

export interface SessionDeps {
  readonly runnerId: number;
  /** Hash of the token that the runner has authenticated with. No longer stored once the token is revoked. */
  readonly tokenHash: string;
  readonly database: Database;
  readonly logs: LogStore;
  readonly clock: Clock;
  readonly recorder: RunRecorder;
  readonly admission: RunnerAdmission;
  readonly tokens: RunnerTokens;
  readonly runKeys: RunKeys;
  readonly send: (message: ServerMessage) => void;
  /** Closes a link that cannot continue. The runner connects again, and both sides compare their state. */
  readonly fail: (error: unknown) => void;
  /** Closes the link for good, after the messages that were sent. */
  readonly disconnect: () => void;
  /** Called when a run has ended or a lease was released, so another task may start. */
  readonly onCapacity: () => void;
}

const END_EVENTS = { success: 'succeeded', error: 'failed', stopped: 'stopped' } as const;
const LOST = 'The runner lost this run, so the result of the playbook is unknown. It was not started again.';

/**
 * The messages of one connected runner. A runner may only report runs that are leased to it, each with the epoch of
 * its lease.
 */
export class RunnerSession {
  readonly #deps: SessionDeps;
  readonly #runs = new Map<number, { readonly epoch: number; readonly projectId: number }>();
  #chain: Promise<void> = Promise.resolve();
  /** Whether the runs that the runner holds were compared with its leases. */
  #isCompared = false;
  #isDraining = false;
  #hasSentHello = false;
  readonly #unreported: UnreportedLeases;
  readonly link: LinkCheck;

  /** Whether the runner should end once it is idle, so that a new one replaces it. */
  isReplacedWhenIdle = false;

  /** Set when this process of the runner was admitted. */
  connection: string | undefined;

  readonly token: SessionToken;

  /** The open queries of the runner. */
  readonly queries: OpenQueries;

  constructor(deps: SessionDeps) {
    this.#deps = deps;
    this.token = new SessionToken(deps);
    this.queries = new OpenQueries(deps.send, deps.clock);
    this.#unreported = new UnreportedLeases(deps.clock);
    this.link = new LinkCheck(deps);
  }

  /** Called when a lease is given to this runner. From now on it may report the task. */
  hold({ id, epoch, project_id }: Claim): void {
    this.#runs.set(id, { epoch, projectId: project_id });
  }

  holds(taskId: number): boolean {
    return this.#runs.has(taskId);
  }

  /** Called when a lease is released before the job was sent. */
  letGo(taskId: number): void {
    this.#runs.delete(taskId);
  }

  /** Called when the link has closed. */
  async left(): Promise<void> {
    const { admission, runnerId } = this.#deps;
    // Without the database, the next process is admitted only after its challenge times out.
    if (this.connection !== undefined) await admission.left(runnerId, this.connection).catch(() => undefined);
  }

  /** Whether the runner takes no more jobs. */
  get isDraining(): boolean {
    return this.#isDraining;
  }

  /** Whether the runner holds the subject of a large frame. A run that it does not hold is abandoned on the runner. */
  awaits(subject: FrameSubject): boolean {
    return subject.of === 'query' ? this.queries.isOpen(subject.query_id) : this.#leased(subject) !== undefined;
  }

  /**
   * Handles a message: state changes in order, output as fast as the log store accepts it. Resolves when the message
   * is handled. A runner must send hello first, because an earlier link of it may still be in use.
   */
  async receive(message: RunnerMessage): Promise<void> {
    this.#hasSentHello ||= message.type === 'hello';
    if (!this.#hasSentHello) return;
    switch (message.type) {
      case 'output':
        return await this.#output(message);
      case 'results':
        return await this.#results(message);
      case 'answer':
        this.queries.answer(message.query_id, message.answer);
        return;
      default:
        if ('draining' in message && message.draining) this.#isDraining = true;
        if (message.type === 'heartbeat') this.link.reported(message);
        this.#chain = this.#chain.then(() => this.#state(message)).catch(this.#deps.fail);
        return await this.#chain;
    }
  }

  async #state(message: StateMessage): Promise<void> {
    const { recorder } = this.#deps;
    switch (message.type) {
      case 'hello':
        return await this.#reconcile(message.runs);
      case 'heartbeat':
        return await this.#heartbeat(message.runs);
      case 'accepted':
        return await this.#accepted(message.task_id, message.epoch);
      case 'refused':
        return await this.#refused(message);
      case 'commit':
        if (this.#leased(message))
          await recorder.storeCommit(message.task_id, message.epoch, message.commit_hash, message.commit_message);
        return;
      case 'started':
        if (this.#leased(message)) await recorder.apply(message.task_id, 'started', message.epoch);
        return;
      case 'ended':
        return await this.#ended(message);
      case 'token_stored':
        // A claim that read the token just before has found no runner.
        if (await this.token.stored(message.id)) this.#deps.onCapacity();
        return;
    }
  }

  #leased({ task_id, epoch }: { task_id: number; epoch: number }): { projectId: number } | undefined {
    const run = this.#runs.get(task_id);
    if (run?.epoch === epoch) return run;
    // Output that arrives before the comparison is ignored. The `resume` message of the run requests the missing lines.
    if (this.#isCompared) this.#deps.send({ type: 'abandon', task_id, epoch });
    return undefined;
  }

  /** Notices what another server has done to this runner or its tasks. */
  async #heartbeat(runs: readonly ReportedRun[]): Promise<void> {
    const { database, runnerId, send } = this.#deps;
    const token = await this.token.check(this.connection);
    if (token === 'revoked') return this.disconnect();
    if (token === 'moved') return this.#deps.fail(new Error('the runner has signed in with a new token'));
    const link = await this.link.check(this.connection);
    if (link === 'moved') return this.#deps.fail(new Error('another process or link of the same runner was admitted'));
    const mustEnd = link === 'drain' || (this.isReplacedWhenIdle && runs.length === 0);
    if (mustEnd && !this.#isDraining) send({ type: 'drain' });
    // An idle runner holds no lease, so no server needs its heartbeats, and nothing is written to disk.
    if (runs.length > 0) {
      await database.autocommit
        .updateTable('runner')
        .set((eb) => ({ heartbeats: eb('heartbeats', '+', 1) }))
        .where('id', '=', runnerId)
        .execute();
    }
    const active = runs.filter(({ state }) => state !== 'ended').map(({ task_id }) => task_id);
    const tasks = await database.read
      .selectFrom('task')
      .selectAll()
      .where('runner_id', '=', runnerId)
      .where((eb) =>
        eb.or([eb('status', 'in', NOT_FINAL_STATUSES), ...(active.length > 0 ? [eb('id', 'in', active)] : [])]),
      )
      .execute();
    for (const { id, epoch, status, stop_forced } of tasks.filter((task) => active.includes(task.id))) {
      if (status === 'stopping') send({ type: 'stop', task_id: id, epoch, force: stop_forced === 1 });
      else if (isFinal(status)) this.#abandon(id, epoch);
    }
    const reported = new Set(runs.map(({ task_id }) => task_id));
    const unreported = tasks.filter(({ id, status }) => !isFinal(status) && !reported.has(id));
    for (const task of this.#unreported.overdue(unreported, this.#isDraining)) await this.#withdraw(task);
  }

  /** Ends a lease that the runner does not know. A task that never began is leased again; any other is lost. */
  async #withdraw(task: TaskRow): Promise<void> {
    if (task.status !== 'waiting') return await this.#end(task, 'lost', LOST);
    await releaseLease(this.#deps.database, task.id, task.epoch);
    this.#runs.delete(task.id);
    this.#deps.onCapacity();
  }

  async #accepted(taskId: number, epoch: number): Promise<void> {
    if (!this.#leased({ task_id: taskId, epoch })) return;
    if (await this.#deps.recorder.apply(taskId, 'accepted', epoch))
      this.#deps.send({ type: 'start', task_id: taskId, epoch });
    else await this.#again(taskId, epoch);
  }

  /**
   * The job failed before it started and would fail again. The task ends with the reason instead of waiting forever.
   */
  async #refused(message: Of<'refused'>): Promise<void> {
    const { task_id, epoch, why } = message;
    const run = this.#leased({ task_id, epoch });
    if (!run) return;
    const { recorder, onCapacity } = this.#deps;
    if (await recorder.apply(task_id, 'accepted', epoch))
      await recorder.end(
        run.projectId,
        task_id,
        'failed',
        epoch,
        `${why} The task was not started.`,
        reasonOfRunner(message) ?? { code: 'runner.refused', params: { detail: why.slice(0, MAX_REASON_TEXT) } },
      );
    this.#runs.delete(task_id);
    onCapacity();
  }

  /** The task was not waiting: it was stopped meanwhile, or the start message was lost. */
  async #again(taskId: number, epoch: number): Promise<void> {
    const task = await this.#find(taskId, epoch);
    if (task?.status === 'starting') this.#deps.send({ type: 'start', task_id: taskId, epoch });
    else if (task?.status === 'stopping') await this.#end(task, 'stopped', undefined);
    else this.#abandon(taskId, epoch);
  }

  /** The token was revoked: no run of the runner continues. */
  disconnect(): void {
    for (const [taskId, { epoch }] of this.#runs) this.#abandon(taskId, epoch);
    this.queries.close();
    this.#deps.disconnect();
  }

  #abandon(taskId: number, epoch: number): void {
    this.#runs.delete(taskId);
    this.#deps.send({ type: 'abandon', task_id: taskId, epoch });
  }

  async #end(task: TaskRow, event: 'lost' | 'stopped', lastText: string | undefined): Promise<void> {
    const reason: EndReason | undefined =
      event === 'lost' ? { code: 'runner.lost', params: { runner: task.runner_name } } : undefined;
    await this.#deps.recorder.end(task.project_id, task.id, event, task.epoch, lastText, reason);
    this.#abandon(task.id, task.epoch);
    this.#deps.onCapacity();
  }

  async #ended(message: Of<'ended'>): Promise<void> {
    const { task_id, epoch, lines } = message;
    const run = this.#leased(message);
    if (!run) return;
    const { next_line } = await this.#deps.logs.head(task_id);
    const missing = lines - (next_line - 1);
    const lastText = missing > 0 ? `The log is incomplete: ${missing} of ${lines} lines are missing.` : undefined;
    // The run was accepted, even if that message was lost. A waiting task cannot end, and would be leased again with
    // a closed log.
    await this.#deps.recorder.apply(task_id, 'accepted', epoch);
    // A successful run was started, even if that message was lost with a link. No transition leads from starting to
    // success.
    if (message.result === 'success') await this.#deps.recorder.apply(task_id, 'started', epoch);
    if (message.versions) await this.#deps.recorder.storeVersions(task_id, epoch, message.versions);
    const event = END_EVENTS[message.result];
    const reason = await reportedReason(message, this.#deps.logs);
    if (!(await this.#deps.recorder.end(run.projectId, task_id, event, epoch, lastText, reason)))
      return this.#abandon(task_id, epoch);
    this.#runs.delete(task_id);
    this.#deps.send({ type: 'acknowledged', task_id, epoch });
    this.#deps.onCapacity();
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
    await this.#deps.recorder
      .storeOutput(run.projectId, { taskId: task_id, epoch, first, lines, offset })
      .then((head) =>
        this.#deps.send({ type: 'output_stored', task_id, epoch, next_line: head.next_line, offset: head.offset }),
      )
      .catch(this.#deps.fail);
  }

  async #results(message: Of<'results'>): Promise<void> {
    const run = this.#leased(message);
    if (!run) return;
    const { task_id, epoch, first, records } = message;
    await this.#deps.recorder
      .storeResults(run.projectId, { taskId: task_id, epoch, first, records })
      .then((head) => this.#deps.send({ type: 'results_stored', task_id, epoch, next_result: head.next_result }))
      .catch(this.#deps.fail);
  }

  async #find(taskId: number, epoch: number): Promise<TaskRow | undefined> {
    return await this.#deps.database.read
      .selectFrom('task')
      .selectAll()
      .where('id', '=', taskId)
      .where('runner_id', '=', this.#deps.runnerId)
      .where('epoch', '=', epoch)
      .executeTakeFirst();
  }

  /** Compares the runs that the runner holds with its leases. Afterwards both sides agree. */
  async #reconcile(reported: readonly ReportedRun[]): Promise<void> {
    for (const run of reported) await this.#reconcileRun(run);
    const leased = await this.#deps.database.read
      .selectFrom('task')
      .selectAll()
      .where('runner_id', '=', this.#deps.runnerId)
      .where('status', 'in', NOT_FINAL_STATUSES)
      .execute();
    const known = new Set(reported.map((run) => run.task_id));
    for (const task of leased.filter((one) => !known.has(one.id) && !this.#runs.has(one.id))) {
      await this.#withdraw(task);
    }
    this.#isCompared = true;
    this.#deps.onCapacity();
  }

  async #reconcileRun({ task_id, epoch, state }: ReportedRun): Promise<void> {
    const task = await this.#find(task_id, epoch);
    if (!task) return this.#abandon(task_id, epoch);
    if (await this.#hasEnded(task)) return await this.#orphaned(task, state === 'ended');
    this.hold(task);
    if (state === 'accepted') return await this.#accepted(task_id, epoch);
    const { next_line, offset, next_result } = await this.#deps.logs.head(task_id);
    const key = state === 'ended' ? this.#jobKey(task) : {};
    this.#deps.send({ type: 'resume', task_id, epoch, next_line, offset, next_result, ...key });
    // Repeats state changes whose messages may have been lost. A compare-and-set makes a repeated change harmless.
    if (state === 'playing') await this.#deps.recorder.apply(task_id, 'started', epoch);
    if (task.status === 'stopping') this.#deps.send({ type: 'stop', task_id, epoch, force: task.stop_forced === 1 });
  }

  /** Whether a task is final. If the server had only started to end it without its runner, this finishes the end. */
  async #hasEnded(task: TaskRow): Promise<boolean> {
    if (isFinal(task.status)) return true;
    const event = await endWithoutRunner(this.#deps.logs, task);
    const reason = storedEndReason(task.end_reason, task.end_params);
    if (event) await this.#deps.recorder.end(task.project_id, task.id, event, task.epoch, undefined, reason);
    return event !== undefined;
  }

  /** A restarted runner has the values that it must mask only as its earlier process encrypted them. */
  #jobKey({ id, epoch }: TaskRow): { job_key: string } {
    return { job_key: this.#deps.runKeys(id, epoch) };
  }

  /**
   * The runner holds a run whose task is final. Either the runner did not receive the acknowledgement, or it came
   * back too late.
   */
  async #orphaned(task: TaskRow, hasEnded: boolean): Promise<void> {
    const { logs, database, clock, runnerId, send } = this.#deps;
    const orphaned = (await endWithoutRunner(logs, task)) !== undefined;
    if (orphaned) await recordOrphanReturn(database, task, runnerId, clock.now());
    this.#runs.delete(task.id);
    const run = { task_id: task.id, epoch: task.epoch, orphaned: orphaned };
    if (hasEnded) send({ type: 'acknowledged', ...run, ...(orphaned ? this.#jobKey(task) : {}) });
    else send({ type: 'abandon', ...run });
  }
}
