import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { fingerprintOf } from './fingerprint.ts';

/** Messages of a module that have the same cause, which a person decided. */
interface Entry {
  readonly cause: string;
  readonly action: string;
  readonly result: 'failed' | 'unreachable';
  readonly messages: readonly { readonly host: string; readonly message: string; readonly items?: string[] }[];
}

const FOLDER = join(import.meta.dirname, 'corpus');
const ENTRIES = readdirSync(FOLDER).flatMap((file) => JSON.parse(readFileSync(join(FOLDER, file), 'utf8')) as Entry[]);

const NO_ITEMS = { ok: 0, changed: 0, failed: 1, skipped: 0 };

const MESSAGES = ENTRIES.flatMap(({ cause, action, result, messages }) =>
  messages.map(({ host, message, items }) => {
    const record = { host, message, result, ...(items ? { items: { ...NO_ITEMS, names: items } } : {}) };
    const { id, form } = fingerprintOf(record, { name: 'Step', action });
    return { cause: `${result} ${action.split('.').at(-1)} ${cause}`, id, message, form };
  }),
);

const countBy = <T>(items: readonly T[], key: (item: T) => string): Map<string, number> =>
  new Map([...Map.groupBy(items, key)].map(([name, all]) => [name, all.length]));

it('at least 97 % of the messages are in the cluster of their cause', () => {
  const byCause = [...Map.groupBy(MESSAGES, ({ cause }) => cause)];
  const outside = byCause.flatMap(([cause, all]) => {
    const counts = countBy(all, ({ id }) => id);
    const [largest] = [...counts].sort(([, a], [, b]) => b - a)[0] ?? [];
    return all.filter(({ id }) => id !== largest).map(({ message }) => `${cause}: ${message.slice(0, 300)}`);
  });
  const share = 1 - outside.length / MESSAGES.length;
  const clusters = new Set(MESSAGES.map(({ id }) => id)).size;
  console.log(
    `${MESSAGES.length} messages of ${byCause.length} causes in ${clusters} clusters: ${(100 * share).toFixed(1)} % in that of their cause`,
  );
  expect(MESSAGES.length).toBeGreaterThan(300);
  expect(share, outside.join('\n')).toBeGreaterThanOrEqual(0.97);
});

it('no cluster contains messages of two causes', () => {
  const mixed = [...Map.groupBy(MESSAGES, ({ id }) => id)]
    .map(([, all]) => [...new Map(all.map(({ cause, message }) => [cause, `${cause}: ${message}`])).values()])
    .filter((causes) => causes.length > 1);
  expect(mixed).toEqual([]);
});
