import { expect, it, onTestFinished } from 'vitest';
import { openState } from '../composition/storage.ts';
import { readConfig } from '../config.ts';
import type { Logs } from '../database/database.ts';
import { describeRemoteDatabase, type MakeLocation } from '../testing/database/databases.ts';
import type { Line } from './block-codec.ts';
import { databaseLogStore } from './database-log.store.ts';

const BATCH = 200;
/** Maximum number of lines of a flood. */
const MAX_LINES = 8_000;
const START = Date.parse('2026-11-21T10:00:00.000Z');

const range = (first: number, count: number): Line[] =>
  Array.from({ length: count }, (_, index) => [START + first + index, `line ${first + index} ${'x'.repeat(60)}`]);
const batch = (taskId: number, first: number) => ({
  taskId,
  epoch: 1,
  first,
  lines: range(first, BATCH),
  offset: first + BATCH - 1,
});

/** Opens the stores of two servers on one database. */
const openTwo = async (makeLocation: MakeLocation) => {
  const { folder, databaseUrl } = await makeLocation();
  const config = readConfig({ SIGNALBOX_DATA: folder, DATABASE_URL: databaseUrl });
  const open = async () => {
    const database = await openState(config, () => undefined);
    onTestFinished(() => database.close());
    return databaseLogStore(database.autocommit as unknown as Logs, database.capabilities);
  };
  return { one: await open(), other: await open() };
};

describeRemoteDatabase('a log that two servers write to', (makeLocation) => {
  it('[R4] [R6] keeps every acknowledged line and stays closed', async () => {
    const { one, other } = await openTwo(makeLocation);
    /**
     * Writes through one server until the log is closed through the other. Returns the number of acknowledged lines.
     */
    const flood = async (taskId: number): Promise<number> => {
      let closing: Promise<unknown> = Promise.resolve();
      let stored = 0;
      for (let first = 1; first < MAX_LINES; first += BATCH) {
        const { fresh } = await one.appendOutput(batch(taskId, first));
        stored += fresh.length;
        if (fresh.length === 0) break;
        if (first === 1 + taskId * BATCH) closing = other.closeLog(taskId);
      }
      await closing;
      return stored;
    };
    const taskIds = Array.from({ length: 16 }, (_, index) => index + 1);
    const stored = await Promise.all(taskIds.map(flood));
    for (const [index, taskId] of taskIds.entries()) {
      expect(await other.head(taskId)).toMatchObject({ closed: true, next_line: (stored[index] ?? 0) + 1 });
      expect(await other.lines(taskId, 1, MAX_LINES)).toEqual(range(1, stored[index] ?? 0));
    }
  });

  it('[R6] stores a batch once that both servers receive', async () => {
    const { one, other } = await openTwo(makeLocation);
    for (let first = 1; first < 30 * BATCH; first += BATCH) {
      const both = await Promise.all([one, other].map((store) => store.appendOutput(batch(1, first))));
      expect(both.flatMap(({ fresh }) => fresh)).toHaveLength(BATCH);
    }
    expect(await one.lines(1, 1, MAX_LINES)).toEqual(range(1, 30 * BATCH));
  });
});
