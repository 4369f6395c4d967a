import { describe, expect, it } from 'vitest';
import { KeyedMutex } from './keyed-mutex.ts';

const { signal } = new AbortController();

describe('KeyedMutex', () => {
  it('runs work with one key in sequence, and with other keys in parallel', async () => {
    const mutex = new KeyedMutex();
    const log: string[] = [];
    const gate = Promise.withResolvers<void>();
    const work = (name: string, wait: Promise<void>) => async () => {
      log.push(`${name} begins`);
      await wait;
      log.push(`${name} ends`);
      return name;
    };
    const first = mutex.run('a', signal, work('first', gate.promise));
    const second = mutex.run('a', signal, work('second', Promise.resolve()));
    expect(mutex.isLocked('a')).toBe(true);
    expect(await mutex.run('b', signal, work('other', Promise.resolve()))).toBe('other');
    gate.resolve();
    expect(await Promise.all([first, second])).toEqual(['first', 'second']);
    expect(log.filter((one) => !one.startsWith('other'))).toEqual([
      'first begins',
      'first ends',
      'second begins',
      'second ends',
    ]);
    expect(mutex.isLocked('a')).toBe(false);
  });

  it('continues after a failure, and without callers that stopped waiting', async () => {
    const mutex = new KeyedMutex();
    const gate = Promise.withResolvers<void>();
    const first = mutex.run('a', signal, async () => {
      await gate.promise;
      throw new Error('no luck');
    });
    const impatient = new AbortController();
    let began = false;
    const second = mutex.run('a', impatient.signal, async () => {
      began = true;
    });
    const third = mutex.run('a', signal, async () => 'third');
    impatient.abort(new Error('stopped'));
    await expect(second).rejects.toThrow('stopped');
    gate.resolve();
    await expect(first).rejects.toThrow('no luck');
    expect(await third).toBe('third');
    expect(began).toBe(false);
  });
});
