import { describe, expect, it } from 'vitest';
import { KeyedMutex } from './keyed-mutex.ts';

const { signal } = new AbortController();

describe('KeyedMutex', () => {
  it('runs work with one key in sequence, and with other keys in parallel', async () => {
    const turns = new KeyedMutex();
    const told: string[] = [];
    const gate = Promise.withResolvers<void>();
    const work = (name: string, wait: Promise<void>) => async () => {
      told.push(`${name} begins`);
      await wait;
      told.push(`${name} ends`);
      return name;
    };
    const first = turns.run('a', signal, work('first', gate.promise));
    const second = turns.run('a', signal, work('second', Promise.resolve()));
    expect(turns.isLocked('a')).toBe(true);
    expect(await turns.run('b', signal, work('other', Promise.resolve()))).toBe('other');
    gate.resolve();
    expect(await Promise.all([first, second])).toEqual(['first', 'second']);
    expect(told.filter((one) => !one.startsWith('other'))).toEqual([
      'first begins',
      'first ends',
      'second begins',
      'second ends',
    ]);
    expect(turns.isLocked('a')).toBe(false);
  });

  it('continues after a failure, and without callers that stopped waiting', async () => {
    const turns = new KeyedMutex();
    const gate = Promise.withResolvers<void>();
    const first = turns.run('a', signal, async () => {
      await gate.promise;
      throw new Error('no luck');
    });
    const impatient = new AbortController();
    let began = false;
    const second = turns.run('a', impatient.signal, async () => {
      began = true;
    });
    const third = turns.run('a', signal, async () => 'third');
    impatient.abort(new Error('stopped'));
    await expect(second).rejects.toThrow('stopped');
    gate.resolve();
    await expect(first).rejects.toThrow('no luck');
    expect(await third).toBe('third');
    expect(began).toBe(false);
  });
});
