import type { Worker } from 'node:worker_threads';

export type ThreadReply =
  | { readonly id: number; readonly value: unknown }
  | { readonly id: number; readonly error: { readonly message: string } };

interface Pending {
  readonly resolve: (value: never) => void;
  readonly reject: (error: Error) => void;
}

/**
 * Minimum time between the starts of two threads, in milliseconds, so that a thread that fails at once does not keep the
 * machine busy.
 */
const PAUSE_MS = 1_000;

/** SQLITE_IOERR, and a lost connection of PostgreSQL: callers treat it like a disk that does not answer, and retry. */
const NOT_NOW = { errcode: 10, code: '08006' };

export interface ThreadSettings {
  /** What the thread does, in error messages, such as `log store`. */
  readonly name: string;
  readonly start: () => Worker;
  /** Called with the reason why a thread died. */
  readonly onLost: (error: Error) => void;
}

/**
 * Calls to a thread that starts with the first one. If the thread dies, calls in progress are rejected, and so are later ones for
 * a second; then a call starts a new thread.
 */
export class ThreadCalls<Call extends object> {
  readonly #settings: ThreadSettings;
  readonly #pending = new Map<number, Pending>();
  #ids = 0;
  #thread: Worker | undefined;
  #startedAt = Number.NEGATIVE_INFINITY;
  #whyNone: Error;
  #isClosed = false;

  constructor(settings: ThreadSettings) {
    this.#settings = settings;
    this.#whyNone = new Error(`The ${settings.name} is closed.`);
  }

  get isRunning(): boolean {
    return this.#thread !== undefined;
  }

  /** Number of calls that have no answer yet. */
  get pending(): number {
    return this.#pending.size;
  }

  #start(): Worker {
    this.#startedAt = performance.now();
    const started = this.#settings.start();
    let why: Error | undefined;
    started.on('message', (reply: ThreadReply) => {
      const waiting = this.#pending.get(reply.id);
      this.#pending.delete(reply.id);
      if ('error' in reply) waiting?.reject(Object.assign(new Error(reply.error.message), reply.error));
      else waiting?.resolve(reply.value as never);
    });
    started.on('error', (error: Error) => {
      why = error;
    });
    // Not on `error`: the thread holds its files and their locks until it has exited.
    started.on('exit', () => this.#ended(started, why));
    this.#thread = started;
    return started;
  }

  #ended(thread: Worker, why: Error | undefined): void {
    if (this.#thread !== thread) return;
    this.#thread = undefined;
    if (!this.#isClosed) {
      this.#whyNone = Object.assign(
        new Error(`The thread of the ${this.#settings.name} has ended.`, { cause: why }),
        NOT_NOW,
      );
      this.#settings.onLost(why ?? this.#whyNone);
    }
    this.#rejectAll();
  }

  #running(): Worker {
    if (this.#thread) return this.#thread;
    if (this.#isClosed || performance.now() < this.#startedAt + PAUSE_MS) throw this.#whyNone;
    return this.#start();
  }

  async call(call: Call): Promise<never> {
    const { promise, resolve, reject } = Promise.withResolvers<never>();
    const id = ++this.#ids;
    this.#running().postMessage({ ...call, id });
    this.#pending.set(id, { resolve, reject });
    return await promise;
  }

  /** Lets no thread start any more. A thread that runs is still called. */
  close(): void {
    this.#isClosed = true;
  }

  /** Ends the thread, and rejects calls in progress. The next call starts another one at once. */
  release(): void {
    const thread = this.#thread;
    this.#thread = undefined;
    this.#startedAt = Number.NEGATIVE_INFINITY;
    void thread?.terminate();
    this.#rejectAll();
  }

  #rejectAll(): void {
    for (const { reject } of this.#pending.values()) reject(this.#whyNone);
    this.#pending.clear();
  }
}
