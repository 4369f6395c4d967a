import { LONG_ANSWER_STALLED_SECONDS, MEBIBYTE } from '@signalbox/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../errors/api-error.ts';

/** Unsent bytes of long answers that the server holds for one user. The first long answer of a user may be longer. */
export const USER_BYTES = 64 * MEBIBYTE;
/** Unsent bytes of long answers that the server holds for all users. */
const TOTAL_BYTES = 512 * MEBIBYTE;
/** Memory that a streamed answer needs, however long it is. */
export const STREAM_BYTES = 2 * MEBIBYTE;
/**
 * Interval at which open answers are checked, in milliseconds. A user who loses a right loses the answer within a
 * second.
 */
const RECHECK_MS = 900;

export interface LongAnswer {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly userId: number;
  /** Unsent bytes in memory. */
  bytes: number;
  /** @throws ApiError when the reader no longer has the session or the rights that the call needs */
  readonly recheck: () => Promise<unknown>;
  isChecking?: boolean;
}

export interface LongAnswersOptions {
  readonly onError: (error: unknown) => void;
  /** Time without progress after which a reader is cut off, in milliseconds. */
  readonly stalledMs?: number;
}

/**
 * The long answers that are being sent. Limits their memory, and ends answers whose reader lost the rights or reads
 * nothing.
 */
export class LongAnswers {
  readonly #open = new Set<LongAnswer>();
  readonly #options: LongAnswersOptions;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: LongAnswersOptions) {
    this.#options = options;
  }

  /**
   * Counts and checks an answer until it is sent or its connection is closed.
   * @throws too_many when the unsent answers of the user, or of all users, need too much memory
   */
  add(answer: LongAnswer): void {
    const all = [...this.#open];
    const sum = (answers: LongAnswer[]) => answers.reduce((bytes, one) => bytes + one.bytes, 0);
    const own = all.filter(({ userId }) => userId === answer.userId);
    if (own.length > 0 && (sum(own) + answer.bytes > USER_BYTES || sum(all) + answer.bytes > TOTAL_BYTES))
      throw new ApiError('too_many.long_answers');
    this.#open.add(answer);
    const { raw } = answer.reply;
    const remove = () => this.#remove(answer);
    raw.once('finish', remove).once('close', remove);
    // The timer of the socket starts again with each part that the client takes, also of one write.
    raw.setTimeout(this.#options.stalledMs ?? LONG_ANSWER_STALLED_SECONDS * 1000, () => this.#cut(answer));
    this.#timer ??= setInterval(() => void this.recheck(), RECHECK_MS);
  }

  #remove(answer: LongAnswer): void {
    this.#open.delete(answer);
    if (this.#open.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  /** Resets the connection: bytes in the buffers of the kernel are not delivered, and the client notices that the answer is incomplete. */
  #cut(answer: LongAnswer): void {
    // A connection whose answer is complete serves other requests.
    if (this.#open.has(answer)) answer.request.raw.socket.resetAndDestroy();
  }

  /** Ends the answers whose readers no longer have the session or the rights for them. */
  async recheck(): Promise<void> {
    await Promise.all([...this.#open].map((answer) => this.#check(answer)));
  }

  async #check(answer: LongAnswer): Promise<void> {
    if (answer.isChecking) return;
    answer.isChecking = true;
    try {
      await answer.recheck();
    } catch (error) {
      // Rights cannot be checked while the database is unavailable. That is no reason to end the answer.
      if (!(error instanceof ApiError)) this.#options.onError(error);
      else this.#cut(answer);
    } finally {
      answer.isChecking = false;
    }
  }
}
