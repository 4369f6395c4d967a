import type { QueryAnswer, RunnerQuery, ServerMessage } from '@signalbox/contract/link';
import type { Clock } from '../../clock.ts';

/** Why a query ended without an answer. */
export type NoAnswer = 'timed_out' | 'runner_left' | 'cancelled';

/** The open queries of one connected runner. Answers from other runners are ignored. */
export class OpenQueries {
  readonly #send: (message: ServerMessage) => void;
  readonly #clock: Clock;
  readonly #waiting = new Map<number, (answer: QueryAnswer | NoAnswer) => void>();
  #isClosed = false;

  constructor(send: (message: ServerMessage) => void, clock: Clock) {
    this.#send = send;
    this.#clock = clock;
  }

  get count(): number {
    return this.#waiting.size;
  }

  /** Sends a query under a stored lease. Notifies the runner when the lease ends without an answer, or the signal is aborted. */
  async ask(
    leaseId: number,
    leaseMs: number,
    query: RunnerQuery,
    signal?: AbortSignal,
  ): Promise<QueryAnswer | NoAnswer> {
    if (this.#isClosed) return 'runner_left';
    if (signal?.aborted) return 'cancelled';
    const { promise, resolve } = Promise.withResolvers<QueryAnswer | NoAnswer>();
    const cancel = this.#clock.after(leaseMs, () => resolve('timed_out'));
    this.#waiting.set(leaseId, resolve);
    this.#send({ type: 'query', query_id: leaseId, lease_ms: leaseMs, query });
    const onAbort = () => resolve('cancelled');
    signal?.addEventListener('abort', onAbort, { once: true });
    const answer = await promise;
    signal?.removeEventListener('abort', onAbort);
    cancel();
    this.#waiting.delete(leaseId);
    if (answer === 'timed_out' || answer === 'cancelled') this.#send({ type: 'query_ended', query_id: leaseId });
    return answer;
  }

  isOpen(leaseId: number): boolean {
    return this.#waiting.has(leaseId);
  }

  /** Ignores an answer that comes after the end of its lease, or twice. */
  answer(leaseId: number, answer: QueryAnswer): void {
    this.#waiting.get(leaseId)?.(answer);
  }

  /** The link has closed, so the runner cannot answer any more. */
  close(): void {
    this.#isClosed = true;
    for (const resolve of this.#waiting.values()) resolve('runner_left');
  }
}
