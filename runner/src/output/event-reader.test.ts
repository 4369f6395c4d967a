import { appendFileSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ResultRecord } from '@signalbox/contract';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { EventReader, type PluginEvent } from './event-reader.ts';
import { Masker } from './masker.ts';

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'signalbox-events-'));
  path = join(folder, 'events.jsonl');
});
afterEach(() => rmSync(folder, { recursive: true }));

const event = (mark: number, more: object = {}): PluginEvent =>
  ({ kind: 'host', at: mark, mark, step: 1, host: `h${mark}`, result: 'ok', message: '', ...more }) as PluginEvent;
const write = (events: readonly PluginEvent[]) =>
  appendFileSync(path, events.map((one) => `${JSON.stringify(one)}\n`).join(''));
const linesOf = (records: readonly ResultRecord[]) => records.map(({ at, line }) => [at, line]);

const readAll = async (reader: EventReader, ended: boolean): Promise<ResultRecord[]> => {
  const all: ResultRecord[] = [];
  for (;;) {
    const records = await reader.read(ended);
    if (records.length === 0) return all;
    all.push(...records);
  }
};

describe('EventReader', () => {
  it('returns an event when its marker was read, and the remaining events when the run has ended', async () => {
    const reader = new EventReader(path, new Masker([]));
    write([event(1), event(2), event(3)]);
    expect(await readAll(reader, false)).toEqual([]);
    reader.onMarker(1, 7, [], undefined);
    reader.onMarker(2, undefined, [], undefined);
    expect(linesOf(await readAll(reader, false))).toEqual([
      [1, 7],
      [2, 7],
    ]);
    expect(linesOf(await readAll(reader, true))).toEqual([[3, 7]]);
    await reader.close();
  });

  it('gives a play and a step the line of the title before their markers, and others the first line', async () => {
    const reader = new EventReader(path, new Masker([]));
    const step = { kind: 'step', step: 1, play: 1, name: 'x', action: 'y', handler: false };
    write([event(1, step), event(2), event(3, step)]);
    reader.onMarker(1, 4, [], 6);
    reader.onMarker(2, 7, [], 9);
    reader.onMarker(3, 10, [], undefined);
    expect(linesOf(await readAll(reader, false))).toEqual([
      [1, 6],
      [2, 7],
      [3, 10],
    ]);
    await reader.close();
  });

  it('reads a long file one chunk at a time', async () => {
    const count = 20_000;
    write(Array.from({ length: count }, (_, index) => event(index + 1)));
    const reader = new EventReader(path, new Masker([]));
    for (let marker = 1; marker <= count; marker += 1) reader.onMarker(marker, marker, [], undefined);
    const first = await reader.read(true);
    expect(first.length).toBeGreaterThan(0);
    expect(first.length).toBeLessThan(count / 2);
    expect([...first, ...(await readAll(reader, true))]).toHaveLength(count);
    await reader.close();
  });

  it('returns the same records when another reader continues at the saved position', async () => {
    const count = 400;
    const events = Array.from({ length: count }, (_, index) => event(index + 1));
    const whole = new EventReader(path, new Masker([]));
    write(events);
    for (const { mark } of events) whole.onMarker(mark, mark * 3, [], undefined);
    const expected = await readAll(whole, true);
    for (const stop of [0, 1, 37, 399, 400]) {
      const before = new EventReader(path, new Masker([]));
      // Markers that were read before their events are saved with the position.
      for (const { mark } of events.slice(0, stop)) before.onMarker(mark, mark * 3, [], undefined);
      const returned = await readAll(before, false);
      const position = JSON.parse(JSON.stringify(before.position)) as EventReader['position'];
      expect(position.count).toBe(returned.length);
      const after = new EventReader(path, new Masker([]), position);
      for (const { mark } of events.slice(stop)) after.onMarker(mark, mark * 3, [], undefined);
      expect([...returned, ...(await readAll(after, true))]).toEqual(expected);
      await Promise.all([before.close(), after.close()]);
    }
    await whole.close();
  });

  it('skips events that the callback plugin never writes: too many failed items, and numbers outside their limits', async () => {
    const host = { ...event(1), kind: 'host', step: 1, host: 'h', result: 'failed', message: '' };
    const items = { ok: 0, changed: 0, failed: 1, skipped: 0, names: Array(21).fill('n') };
    const bad = [
      { ...host, items },
      { ...host, step: Number.MAX_SAFE_INTEGER },
      { ...host, step: -1 },
      { ...host, step: 200_001 },
      { ...host, at: 1e300 },
      { ...host, at: -1 },
      { kind: 'play', at: 1, mark: 1, play: 2 ** 40, name: 'p', hosts: 1 },
      { kind: 'play', at: 1, mark: 1, play: 200_001, name: 'p', hosts: 1 },
    ];
    write([...bad, { ...host, host: 'h'.repeat(5000) }] as ReturnType<typeof event>[]);
    const reader = new EventReader(path, new Masker([]));
    const records = await readAll(reader, true);
    // Database indexes do not accept longer names.
    expect(records).toEqual([expect.objectContaining({ kind: 'host', host: 'h'.repeat(500) })]);
    await reader.close();
  });

  it('truncates names to 500 characters, but not messages of 4000 characters', async () => {
    const long = 'n'.repeat(4000);
    const items = { ok: 0, changed: 0, failed: 1, skipped: 0, names: [long] };
    write([
      event(1, { message: long, delegated_to: long, items }),
      { kind: 'step', at: 2, mark: 2, step: 200_000, play: 1, name: long, action: long, handler: false },
      { kind: 'play', at: 3, mark: 3, play: 200_000, name: long, hosts: 1 },
    ]);
    const reader = new EventReader(path, new Masker([]));
    const cut = `${'n'.repeat(499)}…`;
    expect(await readAll(reader, true)).toEqual([
      expect.objectContaining({ message: long, delegated_to: cut, items: { ...items, names: [cut] } }),
      expect.objectContaining({ kind: 'step', name: cut, action: cut }),
      expect.objectContaining({ kind: 'play', name: cut }),
    ]);
    await reader.close();
  });

  it('does not read beyond the size limit of the events file, also when it continues at a saved position', async () => {
    write([event(1), event(2)]);
    const limit = statSync(path).size + 5;
    write([event(3), event(4)]);
    const reader = new EventReader(path, new Masker([]), undefined, limit);
    expect((await readAll(reader, true)).map(({ at }) => at)).toEqual([1, 2]);
    const again = new EventReader(path, new Masker([]), reader.position, limit);
    write([event(5)]);
    expect(await readAll(again, true)).toEqual([]);
    const beyondLimit = new EventReader(path, new Masker([]), { ...reader.position, offset: limit + 100 }, limit);
    expect(await readAll(beyondLimit, true)).toEqual([]);
    await Promise.all([reader, again, beyondLimit].map((one) => one.close()));
  });

  it('keeps a limited number of markers if a playbook forges many', async () => {
    const reader = new EventReader(path, new Masker([]));
    for (let marker = 1; marker <= 200_000; marker += 1) reader.onMarker(marker, marker, [], undefined);
    expect(reader.position.marks.length).toBeLessThanOrEqual(100_000);
    write([event(200_000)]);
    expect(linesOf(await readAll(reader, false))).toEqual([[200_000, 200_000]]);
    expect(reader.position.marks).toEqual([]);
    await reader.close();
  });

  it('[S6] masks secrets in every text of a record, also truncated secrets', async () => {
    writeFileSync(path, '');
    const secret = 'correct horse battery';
    write([
      event(1, {
        host: `h ${secret}`,
        message: `${secret} and ${Buffer.from(secret).toString('base64')} and correct hor…`,
        delegated_to: secret,
        items: { ok: 0, changed: 0, failed: 1, skipped: 0, names: [`item ${secret}`, 'correct horse bat…'] },
      }),
      { kind: 'step', at: 2, mark: 2, step: 1, play: 1, name: `do ${secret}`, action: secret, handler: false },
      { kind: 'play', at: 3, mark: 3, play: 1, name: secret, hosts: 1 },
      {
        kind: 'stats',
        at: 4,
        mark: 4,
        hosts: { [secret]: { ok: 1, changed: 0, failures: 0, ignored: 0, skipped: 0, rescued: 0, unreachable: 0 } },
      },
    ]);
    const reader = new EventReader(path, new Masker([secret]));
    const records = await readAll(reader, true);
    expect(records).toHaveLength(4);
    const text = JSON.stringify(records);
    expect(text).not.toMatch(/horse|correct hor|Y29ycmVjd/);
    expect(records[0]).toMatchObject({
      message: '**** and **** and ****…',
      delegated_to: '****',
      items: { names: ['item ****', '****…'] },
    });
    await reader.close();
  });
});
