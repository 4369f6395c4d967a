import type { RouteShape } from '@signalbox/contract';
import { describe, expect, it } from 'vitest';
import type { SharedCall } from './call.ts';
import { JoinedReads } from './joined-reads.ts';

interface Wanted {
  readonly hidden?: readonly number[];
  readonly hiddenViews?: readonly number[];
  readonly query?: Record<string, never>;
}

/** A call that records the header `X-Has-Next`. */
const callOf = ({ hidden = [], hiddenViews = [], query = {} }: Wanted = {}) => {
  const sent: boolean[] = [];
  const call: SharedCall<RouteShape> = {
    params: {},
    query,
    hidden: new Set(hidden),
    hiddenViews: new Set(hiddenViews),
    setHasNext: (hasNext) => void sent.push(hasNext),
  };
  return { call, sent };
};

/** A read that ends when `end` or `fail` is called. */
class HeldRead {
  readonly #held = Promise.withResolvers<void>();
  readonly #begun = Promise.withResolvers<void>();
  count = 0;

  get begun(): Promise<void> {
    return this.#begun.promise;
  }

  end(): void {
    this.#held.resolve();
  }

  fail(error: Error): void {
    this.#held.reject(error);
  }

  readonly read = async (): Promise<string> => {
    this.count += 1;
    const answer = `read ${this.count}`;
    this.#begun.resolve();
    await this.#held.promise;
    return answer;
  };
}

describe('JoinedReads', () => {
  it('answers equal calls that wait at the same time with one read', async () => {
    const reads = new JoinedReads();
    let count = 0;
    const read = async (call: { setHasNext: (hasNext: boolean) => void }) => {
      count += 1;
      call.setHasNext(true);
      return ['row'];
    };
    const calls = [callOf(), callOf(), callOf()];
    const answers = await Promise.all(calls.map(({ call }) => reads.answer('listTasks', call, read as never)));
    expect(count).toBe(1);
    expect(answers).toStrictEqual([['row'], ['row'], ['row']]);
    expect(calls.map(({ sent }) => sent)).toStrictEqual([[true], [true], [true]]);
  });

  it('gives a call no answer of a read that had begun before it', async () => {
    const reads = new JoinedReads();
    const held = new HeldRead();
    const first = reads.answer('listTasks', callOf().call, held.read);
    await held.begun;
    const later = [1, 2, 3].map(() => reads.answer('listTasks', callOf().call, held.read));
    held.end();
    expect(await first).toBe('read 1');
    expect(await Promise.all(later)).toStrictEqual(['read 2', 'read 2', 'read 2']);
  });

  it('does not wait for a read that takes long', async () => {
    const reads = new JoinedReads();
    const held = new HeldRead();
    const first = reads.answer('listTasks', callOf().call, held.read);
    await held.begun;
    expect(await reads.answer('listTasks', callOf().call, async () => 'another')).toBe('another');
    held.end();
    expect(await first).toBe('read 1');
  });

  it.each([
    ['another call', 'listTemplates', {}],
    ['a caller who must not see a template', 'listTasks', { hidden: [7] }],
    ['a caller who must not see a view', 'listTasks', { hiddenViews: [7] }],
    ['another query', 'listTasks', { query: { limit: 3 } as never }],
  ])('reads again for %s', async (_, name, wanted) => {
    const reads = new JoinedReads();
    const answers = await Promise.all([
      reads.answer('listTasks', callOf().call, async () => 'first'),
      reads.answer(name, callOf(wanted).call, async () => 'second'),
    ]);
    expect(answers).toStrictEqual(['first', 'second']);
  });

  it('passes an error to the calls that joined, and reads again for the next call', async () => {
    const reads = new JoinedReads();
    const fail = async () => Promise.reject(new Error('The database is closed.'));
    const failed = await Promise.allSettled([1, 2].map(() => reads.answer('listTasks', callOf().call, fail)));
    expect(failed.map(({ status }) => status)).toStrictEqual(['rejected', 'rejected']);
    expect(await reads.answer('listTasks', callOf().call, async () => 'fine')).toBe('fine');
  });

  it('reads again after a failure that another call waited for', async () => {
    const reads = new JoinedReads();
    const held = new HeldRead();
    const first = reads.answer('listTasks', callOf().call, held.read);
    const failure = expect(first).rejects.toThrow('The database is closed.');
    await held.begun;
    const second = reads.answer('listTasks', callOf().call, async () => 'fine');
    held.fail(new Error('The database is closed.'));
    expect(await second).toBe('fine');
    await failure;
  });
});
