import { HEARTBEAT_MS, type HeldRun, type ServerMessage } from '@signalbox/contract/link';
import { seededRandom } from '../../../testing/seeded-random.ts';
import { runnerSocketPath } from '../data-folder.ts';
import type { Database } from '../database/database.ts';
import { LINK_PATH } from '../dispatch/session/runner-hub.ts';
import { hashToken } from '../secrets/token.ts';
import { ScriptedRunner } from './scripted-runner.ts';

const SLOTS = 10;

/** What all runners of a test were told together: what they hold now, the most there ever was, and in which order it came. */
export class SentRuns {
  readonly #held = new Set<number>();
  readonly #enough: number;
  readonly #runners: (() => void)[] = [];
  #mostEnds = Number.POSITIVE_INFINITY;
  /** Called as soon as one more is given. */
  onGiven: (taskId: number) => void = () => undefined;
  readonly given: number[] = [];
  most = 0;
  ended = 0;

  /** @param enough no run ends before so many were held at once: else a limit might hold because nobody came near it */
  constructor(enough: number) {
    this.#enough = enough;
  }

  get mayEnd(): boolean {
    return this.most >= this.#enough && this.ended < this.#mostEnds;
  }

  /** Calls a runner whenever runs may end that might not before: it has nothing else to hear of it from. */
  wakes(runner: () => void): void {
    this.#runners.push(runner);
  }

  /** No more than `count` runs end until it is said anew. */
  endUpTo(count: number): void {
    this.#mostEnds = count;
    this.#wake();
  }

  #wake(): void {
    for (const runner of this.#runners) runner();
  }

  give(taskId: number): void {
    this.#held.add(taskId);
    this.given.push(taskId);
    if (this.#held.size > this.most) {
      this.most = this.#held.size;
      this.#wake();
    }
    this.onGiven(taskId);
  }

  end(taskId: number): void {
    if (this.#held.delete(taskId)) this.ended++;
  }

  deleteRun(taskId: number): void {
    this.#held.delete(taskId);
  }
}

interface BusyRun {
  readonly epoch: number;
  /** `ordered` is not on its disk yet; `ended` is told and not settled. */
  phase: 'ordered' | 'accepted' | 'preparing' | 'playing' | 'ended';
}

/** A runner that accepts, starts and ends whatever it is given, one random step at a time, as its seed wants it. */
export class BusyRunner {
  readonly #sent: SentRuns;
  readonly #random: () => number;
  readonly #token: string;
  readonly #runs = new Map<number, BusyRun>();
  #link: ScriptedRunner | undefined;
  #pulse: NodeJS.Timeout | undefined;
  #stepping = false;
  /** How many it was given. */
  orders = 0;

  constructor(sent: SentRuns, seed: number) {
    this.#sent = sent;
    this.#random = seededRandom(seed);
    this.#token = `token-of-the-busy-runner-${seed}`;
    sent.wakes(() => this.#stepSoon());
  }

  /** Makes the runner known; once, before it dials in. */
  async register(database: Database): Promise<void> {
    const created = new Date().toISOString();
    const row = { name: this.#token, token_hash: hashToken(this.#token), slots: SLOTS, created };
    await database.autocommit.insertInto('runner').values(row).execute();
  }

  /** Dials in at the server of a data folder, and says what it holds from before. */
  async connect(folder: string): Promise<void> {
    const link = new ScriptedRunner(`ws+unix:${runnerSocketPath(folder)}:${LINK_PATH}`, this.#token);
    link.onReceived = (message) => this.#receive(message);
    await link.open();
    this.#link = link;
    link.closed.finally(() => this.#lost(link, folder)).catch(() => undefined);
    link.hello(this.#held, { slots: SLOTS });
    // A server hangs up on a runner that is silent, and it is silent while others have all the work.
    this.#pulse = setInterval(() => link.send({ type: 'heartbeat', runs: this.#held }), HEARTBEAT_MS);
  }

  /** What is on its disk. */
  get #held(): HeldRun[] {
    return [...this.#runs].flatMap(([task_id, { epoch, phase }]) =>
      phase === 'ordered' ? [] : [{ task_id, epoch, state: phase }],
    );
  }

  /** What was not on disk yet is forgotten. A server that hung up is dialled again; one that is gone is not there. */
  #lost(link: ScriptedRunner, folder: string): void {
    if (this.#link !== link) return;
    clearInterval(this.#pulse);
    this.#link = undefined;
    for (const [taskId, { phase }] of this.#runs) if (phase === 'ordered') this.#forget(taskId);
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
    if (message.type === 'order') {
      const { task_id, epoch } = message.order;
      this.#runs.set(task_id, { epoch, phase: 'ordered' });
      this.#sent.give(task_id);
      this.orders++;
    }
    if (message.type === 'settled' || message.type === 'drop') this.#forget(message.task_id);
    const run = 'task_id' in message ? this.#runs.get(message.task_id) : undefined;
    if (message.type === 'go' && run?.phase === 'accepted') run.phase = 'preparing';
    // What was said to a server that was killed is said again.
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
    const phases = ['ordered', 'preparing', ...(this.#sent.mayEnd ? ['playing'] : [])];
    const able = [...this.#runs].filter(([, { phase }]) => phases.includes(phase));
    const [taskId, run] = able[Math.floor(this.#random() * able.length)] ?? [];
    if (!link || taskId === undefined || !run) return;
    const { epoch } = run;
    if (run.phase === 'ordered') {
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
