import { HEARTBEAT_MS, type ReportedRun, type ServerMessage } from '@signalbox/contract/link';
import { seededRandom } from '../../../../testing/seeded-random.ts';
import type { Database } from '../../database/database.ts';
import { LINK_PATH } from '../../dispatch/session/runner-hub.ts';
import { runnerSocketPath } from '../../files/data-folder.ts';
import { hashToken } from '../../secrets/token.ts';
import { ScriptedRunner } from './scripted-runner.ts';

const SLOTS = 10;

/** The runs of all runners of a test: the current ones, the maximum, and their order. */
export class SentRuns {
  readonly #unended = new Set<number>();
  readonly #enough: number;
  readonly #runners: (() => void)[] = [];
  #mostEnds = Number.POSITIVE_INFINITY;
  /** Called with each further run. */
  onGiven: (taskId: number) => void = () => undefined;
  readonly given: number[] = [];
  most = 0;
  ended = 0;

  /**
   * @param enough number of concurrent runs before any may end; otherwise a limit might hold only because it was
   *   never reached
   */
  constructor(enough: number) {
    this.#enough = enough;
  }

  get mayEnd(): boolean {
    return this.most >= this.#enough && this.ended < this.#mostEnds;
  }

  /** Calls a runner when runs may end that could not before, because no message notifies it. */
  wakes(runner: () => void): void {
    this.#runners.push(runner);
  }

  /** Lets at most `count` runs end until the next call. */
  endUpTo(count: number): void {
    this.#mostEnds = count;
    this.#wake();
  }

  #wake(): void {
    for (const runner of this.#runners) runner();
  }

  give(taskId: number): void {
    this.#unended.add(taskId);
    this.given.push(taskId);
    if (this.#unended.size > this.most) {
      this.most = this.#unended.size;
      this.#wake();
    }
    this.onGiven(taskId);
  }

  end(taskId: number): void {
    if (this.#unended.delete(taskId)) this.ended++;
  }

  deleteRun(taskId: number): void {
    this.#unended.delete(taskId);
  }
}

interface BusyRun {
  readonly epoch: number;
  /** `leased`: not on the disk of the runner yet. `ended`: reported but not acknowledged. */
  phase: 'leased' | 'accepted' | 'preparing' | 'playing' | 'ended';
}

/** A runner that accepts, starts and ends its runs in random steps, chosen by its seed. */
export class BusyRunner {
  readonly #sent: SentRuns;
  readonly #random: () => number;
  readonly #token: string;
  readonly #runs = new Map<number, BusyRun>();
  #link: ScriptedRunner | undefined;
  #pulse: NodeJS.Timeout | undefined;
  #stepping = false;
  /** Number of jobs that it received. */
  orders = 0;

  constructor(sent: SentRuns, seed: number) {
    this.#sent = sent;
    this.#random = seededRandom(seed);
    this.#token = `token-of-the-busy-runner-${seed}`;
    sent.wakes(() => this.#stepSoon());
  }

  /** Stores the runner in the database. Must be called once, before it connects. */
  async register(database: Database): Promise<void> {
    const created = new Date().toISOString();
    const row = { name: this.#token, token_hash: hashToken(this.#token), slots: SLOTS, created };
    await database.autocommit.insertInto('runner').values(row).execute();
  }

  /** Connects to the server of a data folder, and reports the runs that it holds. */
  async connect(folder: string): Promise<void> {
    const link = new ScriptedRunner(`ws+unix:${runnerSocketPath(folder)}:${LINK_PATH}`, this.#token);
    link.onReceived = (message) => this.#receive(message);
    await link.open();
    this.#link = link;
    link.closed.finally(() => this.#lost(link, folder)).catch(() => undefined);
    link.hello(this.#reported, { slots: SLOTS });
    // A server disconnects a silent runner, and this runner is silent while others have all the work.
    this.#pulse = setInterval(() => link.send({ type: 'heartbeat', runs: this.#reported }), HEARTBEAT_MS);
  }

  /** The runs that are on the disk of the runner. */
  get #reported(): ReportedRun[] {
    return [...this.#runs].flatMap(([task_id, { epoch, phase }]) =>
      phase === 'leased' ? [] : [{ task_id, epoch, state: phase }],
    );
  }

  /**
   * Forgets runs that were not on disk yet. Connects again if the server closed the link, but not if the server was
   * killed.
   */
  #lost(link: ScriptedRunner, folder: string): void {
    if (this.#link !== link) return;
    clearInterval(this.#pulse);
    this.#link = undefined;
    for (const [taskId, { phase }] of this.#runs) if (phase === 'leased') this.#forget(taskId);
    this.connect(folder).catch(() => undefined);
  }

  close(): void {
    clearInterval(this.#pulse);
    const link = this.#link;
    this.#link = undefined;
    link?.close();
  }

  #forget(taskId: number): void {
    this.#runs.delete(taskId);
    this.#sent.deleteRun(taskId);
  }

  #receive(message: ServerMessage): void {
    if (message.type === 'job') {
      const { task_id, epoch } = message.job;
      this.#runs.set(task_id, { epoch, phase: 'leased' });
      this.#sent.give(task_id);
      this.orders++;
    }
    if (message.type === 'acknowledged' || message.type === 'abandon') this.#forget(message.task_id);
    const run = 'task_id' in message ? this.#runs.get(message.task_id) : undefined;
    if (message.type === 'start' && run?.phase === 'accepted') run.phase = 'preparing';
    // Repeats messages that a killed server may not have received.
    if (message.type === 'resume' && run?.phase === 'ended') this.#sendEnd(message.task_id, run);
    this.#stepSoon();
  }

  #stepSoon(): void {
    if (this.#stepping) return;
    this.#stepping = true;
    setImmediate(() => {
      this.#stepping = false;
      this.#step();
    });
  }

  #step(): void {
    const link = this.#link;
    const phases = ['leased', 'preparing', ...(this.#sent.mayEnd ? ['playing'] : [])];
    const able = [...this.#runs].filter(([, { phase }]) => phases.includes(phase));
    const [taskId, run] = able[Math.floor(this.#random() * able.length)] ?? [];
    if (!link || taskId === undefined || !run) return;
    const { epoch } = run;
    if (run.phase === 'leased') {
      run.phase = 'accepted';
      link.send({ type: 'accepted', task_id: taskId, epoch });
    } else if (run.phase === 'preparing') {
      run.phase = 'playing';
      link.send({ type: 'started', task_id: taskId, epoch });
    } else {
      run.phase = 'ended';
      this.#sent.end(taskId);
      this.#sendEnd(taskId, run);
    }
    this.#stepSoon();
  }

  #sendEnd(task_id: number, { epoch }: BusyRun): void {
    const result = task_id % 3 === 0 ? 'error' : 'success';
    this.#link?.send({ type: 'ended', task_id, epoch, result, reason: 'finished', lines: 0 });
  }
}
