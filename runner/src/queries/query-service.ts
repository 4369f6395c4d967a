import { randomUUID } from 'node:crypto';
import { MAX_RUNNER_FRAME, type Question, type QuestionAnswer, type ServerMessage } from '@signalbox/contract/link';
import { PreparationError } from '../errors/preparation-error.ts';
import { QueryError, queryReason } from '../errors/query-error.ts';
import { shownUrl } from '../git/repository-address.ts';
import { secretsOfAccess, secretsOfSource, secretsOfUrl } from '../git/source-secrets.ts';
import { Masker } from '../output/masker.ts';
import { killMarked, killProcessesNaming } from '../process/process-table.ts';
import { Workspace } from '../workspace/workspace.ts';
import { answerQuery, type QueryContext } from './answer-query.ts';

type Leased = Pick<Extract<ServerMessage, { type: 'question' }>, 'question_id' | 'lease_ms' | 'question'>;

/** Maximum bytes of an answer: it is sent in one frame together with a few other fields. */
const MAX_ANSWER_BYTES = MAX_RUNNER_FRAME - 1024;
const TOO_LONG = 'There are too many names to list.';

const FAILED = 'The runner could not answer the query.';

const secretsOf = (question: Question): string[] => {
  if (question.ask !== 'access') return question.repository === null ? [] : secretsOfSource(question.repository);
  const ofUrl = question.repository === null ? [] : secretsOfUrl(question.repository.url);
  return [...secretsOfAccess(question.access), ...ofUrl].filter((secret) => secret !== '');
};

/** Waits for `work`, or rejects when the signal is aborted. */
const untilAborted = async <T>(work: Promise<T>, signal: AbortSignal): Promise<T> => {
  const { promise, reject } = Promise.withResolvers<never>();
  const onAbort = () => reject(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  if (signal.aborted) onAbort();
  try {
    return await Promise.race([work, promise]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
};

/**
 * Answers queries of the server about repositories, inventories and keys. Each query has its own lease. Its secrets and processes
 * are removed before the answer is sent, and at once when the lease ends without an answer.
 */
export class QueryService {
  readonly #context: QueryContext;
  readonly #marker: string;
  readonly #leases = new Map<number, AbortController>();
  readonly #open = new Set<Promise<unknown>>();

  /** @param marker the prefix of the markers of all queries' processes */
  constructor(context: QueryContext, marker: string) {
    this.#context = context;
    this.#marker = marker;
  }

  /** Answers a query, also if it fails. @returns undefined if the lease ended before */
  answer(leased: Leased): Promise<QuestionAnswer | undefined> {
    const answering = this.#answer(leased).finally(() => this.#open.delete(answering));
    this.#open.add(answering);
    return answering;
  }

  async #answer({ question_id, lease_ms, question }: Leased): Promise<QuestionAnswer | undefined> {
    const lease = new AbortController();
    this.#leases.set(question_id, lease);
    const timer = setTimeout(() => lease.abort(), lease_ms);
    const id = randomUUID();
    const workspace = new Workspace(this.#context.context.workspaces, `question-${id}`);
    const marker = `${this.#marker}-${id}`;
    const clean = async () => {
      await killMarked(marker, 1_000);
      await killProcessesNaming(`${workspace.path}/`);
      await workspace.remove(workspace.path).catch(() => undefined);
    };
    const work = this.#find(question, workspace, marker, lease.signal);
    try {
      return await untilAborted(work, lease.signal);
    } catch (error) {
      if (lease.signal.aborted) return undefined;
      const message = error instanceof PreparationError ? error.message : FAILED;
      const masker = new Masker(secretsOf(question));
      const mask = (text: string) => masker.mask(text);
      const reason = queryReason(error, shownUrl(question.repository?.url ?? ''), mask);
      return { ask: 'refused', error: mask(message), ...(reason ? { reason } : {}) };
    } finally {
      await clean();
      clearTimeout(timer);
      this.#leases.delete(question_id);
      // Work that cannot be interrupted may have written files after the first cleaning.
      if (lease.signal.aborted) void work.catch(() => undefined).finally(clean);
    }
  }

  /** Ends the lease of a query. */
  end(questionId: number): void {
    this.#leases.get(questionId)?.abort();
  }

  /** Ends all leases. Resolves when nothing of the queries is left. */
  async endAll(): Promise<void> {
    for (const lease of this.#leases.values()) lease.abort();
    await Promise.allSettled(this.#open);
  }

  async #find(question: Question, workspace: Workspace, marker: string, signal: AbortSignal): Promise<QuestionAnswer> {
    const { owned } = await workspace.create();
    const answer = await answerQuery(question, this.#context, owned, { marker, signal });
    if (Buffer.byteLength(JSON.stringify(answer)) > MAX_ANSWER_BYTES)
      throw new QueryError(TOO_LONG, { code: 'query.too_many_names', params: {} });
    return answer;
  }
}
