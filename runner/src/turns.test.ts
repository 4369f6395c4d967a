import { describe, expect, it } from 'vitest';
import { Turns } from './turns.ts';

const { signal } = new AbortController();

describe('turns', () => {
  it('are taken one after another for one key, and at once for others', async () => {
    const turns = new Turns();
    const told: string[] = [];
    const gate = Promise.withResolvers<void>();
    const work = (name: string, wait: Promise<void>) => async () => {
      told.push(`${name} begins`);
      await wait;
      told.push(`${name} ends`);
      return name;
    };
    const first = turns.take('a', signal, work('first', gate.promise));
    const second = turns.take('a', signal, work('second', Promise.resolve()));
    expect(turns.isTaken('a')).toBe(true);
    expect(await turns.take('b', signal, work('other', Promise.resolve()))).toBe('other');
    gate.resolve();
    expect(await Promise.all([first, second])).toEqual(['first', 'second']);
    expect(told.filter((one) => !one.startsWith('other'))).toEqual([
      'first begins',
      'first ends',
      'second begins',
      'second ends',
    ]);
    expect(turns.isTaken('a')).toBe(false);
  });

  it('go on after a failure, and without who gave up waiting', async () => {
    const turns = new Turns();
    const gate = Promise.withResolvers<void>();
    const first = turns.take('a', signal, async () => {
      await gate.promise;
      throw new Error('no luck');
    });
    const impatient = new AbortController();
    let began = false;
    const second = turns.take('a', impatient.signal, async () => {
      began = true;
    });
    const third = turns.take('a', signal, async () => 'third');
    impatient.abort(new Error('stopped'));
    await expect(second).rejects.toThrow('stopped');
    gate.resolve();
    await expect(first).rejects.toThrow('no luck');
    expect(await third).toBe('third');
    expect(began).toBe(false);
  });
});
