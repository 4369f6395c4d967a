import { expect, it } from 'vitest';
import { describeEachDatabase } from '../testing/databases.ts';
import { openLogStore as openStore } from '../testing/log-stores.ts';
import type { Line } from './block-codec.ts';
import { PACK_BYTES } from './log-blocks.ts';

const START = Date.parse('2026-11-21T10:00:00.000Z');
const line = (number: number): Line => [START + number * 7, `line ${number} ${'é'.repeat(number % 40)}`];
const range = (first: number, count: number): Line[] =>
  Array.from({ length: count }, (_, index) => line(first + index));
const batch = (taskId: number, first: number, count: number, epoch = 1) => ({
  taskId,
  epoch,
  first,
  lines: range(first, count),
  offset: (first + count - 1) * 100,
});

describeEachDatabase('log store', (makePlace) => {
  it('[R6] keeps every line once and in order, however batches overlap or are repeated', async () => {
    const store = await openStore(makePlace);
    let first = 1;
    for (const count of [1, 3, 250, 2, 1000, 7]) {
      await store.appendOutput(batch(1, first, count));
      // Said again, as after a lost acknowledgement, and overlapping with what follows.
      await store.appendOutput(batch(1, Math.max(1, first - 2), count + 2));
      first += count;
    }
    expect(await store.lines(1, 1, 5000)).toEqual(range(1, first - 1));
    expect((await store.head(1)).next_line).toBe(first);
  });

  it('stores nothing of a batch with a gap before it, and says where to go on', async () => {
    const store = await openStore(makePlace);
    await store.appendOutput(batch(1, 1, 10));
    const { head, fresh } = await store.appendOutput(batch(1, 12, 5));
    expect(fresh).toEqual([]);
    expect(head.next_line).toBe(11);
    expect(head.offset).toBe(1000);
  });

  it('[R2] refuses what an older lease says', async () => {
    const store = await openStore(makePlace);
    await store.appendOutput(batch(1, 1, 3, 2));
    expect((await store.appendOutput(batch(1, 4, 3, 1))).fresh).toEqual([]);
    expect((await store.appendOutput(batch(1, 4, 3, 3))).fresh).toHaveLength(3);
  });

  it('[R4] adds nothing to a sealed log', async () => {
    const store = await openStore(makePlace);
    await store.appendOutput(batch(1, 1, 3));
    expect((await store.seal(1)).head.sealed).toBe(true);
    expect((await store.appendOutput(batch(1, 4, 3))).fresh).toEqual([]);
    expect(await store.lines(1, 1, 10)).toEqual(range(1, 3));
  });

  it('[R4] ends a log with a last line of its own behind whatever came before, and only once', async () => {
    const store = await openStore(makePlace);
    const [, sealed] = await Promise.all([
      store.appendOutput(batch(1, 1, 3)),
      store.seal(1, line(4)),
      store.appendOutput(batch(1, 4, 3)),
    ]);
    expect(sealed).toMatchObject({ fresh: [line(4)], head: { next_line: 5, sealed: true } });
    expect(await store.seal(1, line(5))).toMatchObject({ fresh: [], head: { next_line: 5, sealed: true } });
    expect(await store.lines(1, 1, 10)).toEqual(range(1, 4));
    // Also where nobody has said anything.
    await store.seal(2, line(1));
    expect(await store.lines(2, 1, 10)).toEqual(range(1, 1));
  });

  it('answers any range over loose and packed blocks, also after a restart', async () => {
    const store = await openStore(makePlace);
    const total = 30_000;
    const writes: Promise<unknown>[] = [];
    for (let first = 1; first <= total; first += 500) writes.push(store.appendOutput(batch(1, first, 500)));
    await Promise.all(writes);
    expect(range(1, total).reduce((sum, [, text]) => sum + text.length, 0)).toBeGreaterThan(2 * PACK_BYTES);
    await store.reopen();
    for (const [from, limit] of [
      [1, 1],
      [499, 3],
      [total - 10, 100],
      [12_345, 5000],
      [total + 1, 5],
      [777, 1],
    ] as const) {
      expect(await store.lines(1, from, limit)).toEqual(range(from, Math.max(0, Math.min(limit, total - from + 1))));
    }
  });

  it('keeps tasks apart, and removes one without a trace', async () => {
    const store = await openStore(makePlace);
    await Promise.all([1, 2, 3].map((taskId) => store.appendOutput(batch(taskId, 1, taskId))));
    await store.remove([2]);
    expect(await store.lines(2, 1, 10)).toEqual([]);
    expect((await store.head(2)).next_line).toBe(1);
    expect(await store.lines(3, 1, 10)).toEqual(range(1, 3));
  });

  it('keeps results beside the lines', async () => {
    const store = await openStore(makePlace);
    const record = (play: number) => ({
      kind: 'play',
      play,
      name: 'Ünïcode\nand a break',
      at: START,
      line: 1,
      hosts: 3,
    });
    await store.appendResults({ taskId: 1, epoch: 1, first: 1, records: [record(1), record(2)] });
    await store.appendResults({ taskId: 1, epoch: 1, first: 2, records: [record(2), record(3)] });
    await store.seal(1);
    expect(await store.results(1, 1, 10)).toEqual([record(1), record(2), record(3)]);
    expect(await store.results(1, 3, 10)).toEqual([record(3)]);
  });
});
