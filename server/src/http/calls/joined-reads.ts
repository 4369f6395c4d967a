import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';
import type { RouteShape } from '@signalbox/contract';
import type { SharedCall } from './call.ts';

/** Maximum time that a read waits for the previous one to end, in milliseconds, so that more calls can join it. */
const JOIN_MS = 250;

/** The answer of a read, for all calls that joined it. */
interface JoinedAnswer {
  readonly answer: unknown;
  /** The value of the header `X-Has-Next`; undefined if the answer is no page. */
  readonly hasNext: boolean | undefined;
}

type Read = (call: SharedCall<RouteShape>) => Promise<unknown>;

const keyOf = (name: string, { params, query, hidden, hiddenViews }: SharedCall<RouteShape>): string =>
  JSON.stringify([name, params, query, [...hidden].sort(), [...hiddenViews].sort()]);

/**
 * Answers equal calls that wait at the same time with one read. A call joins only a read that has not begun, so no
 * answer is older than its call.
 */
export class JoinedReads {
  readonly #planned = new Map<string, Promise<JoinedAnswer>>();
  readonly #running = new Map<string, Promise<JoinedAnswer>>();

  /** Answers a call of a shared route, alone or with others. */
  async answer(name: string, call: SharedCall<RouteShape>, read: Read): Promise<unknown> {
    const { answer, hasNext } = await this.#join(keyOf(name, call), call, read);
    if (hasNext !== undefined) call.setHasNext(hasNext);
    return answer;
  }

  #join(key: string, call: SharedCall<RouteShape>, read: Read): Promise<JoinedAnswer> {
    const planned = this.#planned.get(key) ?? this.#plan(key, call, read);
    this.#planned.set(key, planned);
    return planned;
  }

  async #plan(key: string, call: SharedCall<RouteShape>, read: Read): Promise<JoinedAnswer> {
    const before = this.#running.get(key);
    await (before
      ? Promise.race([before.catch(() => undefined), delay(JOIN_MS, undefined, { ref: false })])
      : nextTurn());
    this.#planned.delete(key);
    const running = readOnce(call, read);
    this.#running.set(key, running);
    try {
      return await running;
    } finally {
      if (this.#running.get(key) === running) this.#running.delete(key);
    }
  }
}

const readOnce = async (call: SharedCall<RouteShape>, read: Read): Promise<JoinedAnswer> => {
  let hasNext: boolean | undefined;
  const setHasNext = (value: boolean): void => {
    hasNext = value;
  };
  const answer = await read({ ...call, setHasNext });
  return { answer, hasNext };
};
