import type { IncomingMessage } from 'node:http';
import { type HttpRequest, readStart, sendRequest } from '../../../outgoing/http-request.ts';
import { SendError, sendErrorOf } from './send-error.ts';

export interface Post extends Pick<HttpRequest, 'url' | 'headers' | 'policy' | 'signal'> {
  readonly body: string;
}

export interface PostAnswer {
  readonly status: number;
  /** The start of the answer. */
  readonly text: string;
}

/** Time limit for a whole post, name resolution included, in milliseconds. */
const POST_MS = 10_000;
const MAX_ANSWER_BYTES = 4096;

/** Maximum delay that a `Retry-After` header can request, in milliseconds. */
const MAX_RETRY_AFTER_MS = 3_600_000;

const retryAfter = (answer: IncomingMessage): number | undefined => {
  const value = answer.headers['retry-after'] ?? '';
  // Seconds or a date. A date is compared with the clock of the receiver.
  const moment = Date.parse(value) - (Date.parse(answer.headers.date ?? '') || Date.now());
  const wish = /^\d{1,9}$/.test(value) ? Number(value) * 1000 : moment;
  return wish > 0 ? Math.min(wish, MAX_RETRY_AFTER_MS) : undefined;
};

/** Whether the same request may succeed later. */
const isPassing = (status: number): boolean => status >= 500 || [408, 425, 429].includes(status);

/**
 * Posts JSON.
 * @throws SendError for every answer other than 200 to 299
 */
export const post = async ({ body, headers, signal, ...request }: Post): Promise<PostAnswer> => {
  try {
    const answer = await sendRequest({
      ...request,
      method: 'POST',
      body,
      signal: AbortSignal.any([signal, AbortSignal.timeout(POST_MS)]),
      headers: {
        'content-type': 'application/json; charset=utf-8',
        'content-length': Buffer.byteLength(body),
        ...headers,
      },
    });
    const status = answer.statusCode ?? 0;
    // Only the status decides: sending the message again because of an incomplete answer would deliver it twice.
    const text = (await readStart(answer, MAX_ANSWER_BYTES)).toString('utf8');
    if (status >= 200 && status < 300) return { status, text };
    // Reports only the status: a user who can set the address must not read answers of internal services.
    if (status >= 300 && status < 400) throw new SendError('redirected', String(status));
    throw new SendError(isPassing(status) ? 'failed' : 'refused', String(status), retryAfter(answer));
  } catch (error) {
    throw sendErrorOf(error);
  }
};
