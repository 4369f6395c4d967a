import type { LogMatches } from '@signalbox/contract';
import { MAX_LINE_MATCHES } from '@signalbox/contract';
import { expect, it } from 'vitest';
import { describeOneDatabase, type MakeLocation } from '../../testing/database/databases.ts';
import { sampleProject } from '../../testing/sample-project.ts';
import { startTestServer } from '../../testing/test-server.ts';

const AT = Date.parse('2026-11-21T10:00:00Z');

const setUp = async (makeLocation: MakeLocation) => {
  const server = await startTestServer(await makeLocation());
  const admin = await server.signIn();
  const sample = await sampleProject(admin);
  const { id } = (await admin.post(`${sample.base}/tasks`, { template_id: await sample.template() })).json<{
    id: number;
  }>();
  let last = 0;
  const write = async (...lines: string[]) => {
    const stored = lines.map((line) => [AT, line] as [number, string]);
    await server.storage.logs.appendOutput({ taskId: id, epoch: 1, first: last + 1, lines: stored, offset: last + 1 });
    last += lines.length;
  };
  const search = async (text: string, from?: number) => {
    const query = new URLSearchParams({ text, ...(from === undefined ? {} : { from: String(from) }) });
    return (await admin.get(`${sample.base}/tasks/${id}/lines/search?${query}`)).json<LogMatches>();
  };
  return { admin, sample, id, write, search };
};

describeOneDatabase('a log search', (makeLocation) => {
  it('finds a text as it is displayed, case-insensitive', async () => {
    const { write, search } = await setUp(makeLocation);
    await write(
      'PLAY [all]',
      '\u001b[0;31mfat\u001b[1mal\u001b[0m: [web-1]',
      'ok: [web-1] (a.b)',
      'Größe: GRÖSSE',
      'axb',
    );
    expect(await search('FATAL: [web')).toEqual({ lines: [2], next: 6, total: 5 });
    expect(await search('web-1')).toMatchObject({ lines: [2, 3] });
    expect(await search('web-1', 3)).toMatchObject({ lines: [3] });
    // The search text is not a pattern, and colour codes are not part of the text.
    expect(await search('a.b')).toMatchObject({ lines: [3] });
    expect(await search('[0;31m')).toMatchObject({ lines: [] });
    expect(await search('grösse')).toMatchObject({ lines: [4] });
    expect(await search('')).toEqual({ lines: [], next: 6, total: 5 });
  });

  it('continues after its last match, and finds new lines', async () => {
    const { write, search } = await setUp(makeLocation);
    await write('one', 'two');
    const { next } = await search('o');
    expect(await search('o', next)).toEqual({ lines: [], next: 3, total: 2 });
    await write('four');
    expect(await search('o', next)).toEqual({ lines: [3], next: 4, total: 3 });
  });

  it('answers the matches of a long log in parts', async () => {
    const { write, search } = await setUp(makeLocation);
    const total = MAX_LINE_MATCHES + 5_000;
    for (let from = 1; from <= total; from += 5_000)
      await write(...Array.from({ length: 5_000 }, (_, at) => `line ${from + at}`));
    const numbers = (first: number, last: number) =>
      Array.from({ length: last - first + 1 }, (_, index) => first + index);
    const first = await search('line');
    expect(first).toEqual({ lines: numbers(1, first.next - 1), next: first.next, total });
    expect(first.next).toBeGreaterThan(MAX_LINE_MATCHES);
    expect(await search('line', first.next)).toEqual({ lines: numbers(first.next, total), next: total + 1, total });
    expect(await search('line 24999')).toMatchObject({ lines: [24_999], next: total + 1 });
  }, 60_000);

  it('answers 404 for an unknown task, and refuses a text that is too long', async () => {
    const { admin, sample, id } = await setUp(makeLocation);
    expect((await admin.get(`${sample.base}/tasks/${id + 1}/lines/search?text=a`)).statusCode).toBe(404);
    expect((await admin.get(`${sample.base}/tasks/${id}/lines/search?text=${'a'.repeat(201)}`)).statusCode).toBe(400);
  });
});
