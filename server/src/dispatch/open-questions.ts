import type { Question, QuestionAnswer, ServerMessage } from '@signalbox/contract/link';
import type { Clock } from '../clock.ts';

/** How a question ended that its runner did not answer. */
export type NoAnswer = 'timed_out' | 'runner_left';

/** The questions that one connected runner has been asked. Who else says something of them is not heard. */
export class OpenQuestions {
  readonly #send: (message: ServerMessage) => void;
  readonly #clock: Clock;
  readonly #waiting = new Map<number, (answer: QuestionAnswer | NoAnswer) => void>();
  #isClosed = false;

  constructor(send: (message: ServerMessage) => void, clock: Clock) {
    this.#send = send;
    this.#clock = clock;
  }

  get count(): number {
    return this.#waiting.size;
  }

  /** Asks under a lease that is written down; the runner is told when it ends without an answer. */
  async ask(leaseId: number, leaseMs: number, question: Question): Promise<QuestionAnswer | NoAnswer> {
    if (this.#isClosed) return 'runner_left';
    const { promise, resolve } = Promise.withResolvers<QuestionAnswer | NoAnswer>();
    const cancel = this.#clock.after(leaseMs, () => resolve('timed_out'));
    this.#waiting.set(leaseId, resolve);
    this.#send({ type: 'question', question_id: leaseId, lease_ms: leaseMs, question });
    const answer = await promise;
    cancel();
    this.#waiting.delete(leaseId);
    if (answer === 'timed_out') this.#send({ type: 'question_over', question_id: leaseId });
    return answer;
  }

  isOpen(leaseId: number): boolean {
    return this.#waiting.has(leaseId);
  }

  /** What comes after the end of its lease, or for the second time, finds nobody. */
  answer(leaseId: number, answer: QuestionAnswer): void {
    this.#waiting.get(leaseId)?.(answer);
  }

  /** The runner is gone: it cannot answer any more. */
  close(): void {
    this.#isClosed = true;
    for (const resolve of this.#waiting.values()) resolve('runner_left');
  }
}
