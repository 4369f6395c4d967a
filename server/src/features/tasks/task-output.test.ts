import type { LogLines, LogMatches } from '@signalbox/contract';
import { expect, it, vi } from 'vitest';
import { PAGE_BYTES } from '../../logs/log-pages.ts';
import { describeOneDatabase, type MakeLocation } from '../../testing/database/databases.ts';
import { sampleProject } from '../../testing/sample-project.ts';
import { startTestServer } from '../../testing/test-server.ts';

const AT = Date.parse('2026-11-21T10:00:00Z');
const LINES = 600;
const text = (number: number): string => `${number} ${'x'.repeat(16_000)}${number === LINES ? ' the last' : ''}`;
const TEXTS = Array.from({ length: LINES }, (_, at) => text(at + 1));

/** A task with a log of long lines. */
const setUp = async (makeLocation: MakeLocation) => {
  const server = await startTestServer(await makeLocation());
  const admin = await server.signIn();
  const { base, template } = await sampleProject(admin);
  const { id } = (await admin.post(`${base}/tasks`, { template_id: await template() })).json<{ id: number }>();
  const { logs } = server.storage;
  for (let at = 0; at < LINES; at += 100) {
    const lines = TEXTS.slice(at, at + 100).map((one) => [AT, one] as const);
    await logs.appendOutput({ taskId: id, epoch: 1, first: at + 1, lines, offset: at });
  }
  return { logs, get: (path: string) => admin.get(`${base}/tasks/${id}${path}`) };
};

describeOneDatabase('a log of long lines', (makeLocation) => {
  it('is returned in pages that end early, from any line and from the end', async () => {
    const { get } = await setUp(makeLocation);
    const read: string[] = [];
    while (read.length < LINES) {
      const answer = await get(`/lines?from=${read.length + 1}&limit=5000`);
      expect(answer.body.length).toBeLessThan(1.1 * PAGE_BYTES);
      const page = answer.json<LogLines>();
      expect(page).toMatchObject({ first: read.length + 1, total: LINES });
      read.push(...page.lines.map(([, line]) => line));
    }
    expect(read).toEqual(TEXTS);
    const { first, lines } = (await get('/lines?limit=5000')).json<LogLines>();
    expect(first).toBeGreaterThan(1);
    expect(lines.map(([, line]) => line)).toEqual(TEXTS.slice(first - 1));
  });

  it('is searched and streamed completely in small pieces', async () => {
    const { get, logs } = await setUp(makeLocation);
    const reads = vi.spyOn(logs, 'lines');
    expect((await get('/lines/search?text=the+last')).json<LogMatches>()).toMatchObject({
      lines: [LINES],
      next: LINES + 1,
    });
    expect((await get('/raw_output')).body).toBe(TEXTS.map((line) => `${line}\n`).join(''));
    expect((await get('/output')).json<{ output: string }[]>().map(({ output }) => output)).toEqual(TEXTS);
    const counts = await Promise.all(reads.mock.results.map(async ({ value }) => (await value).length));
    expect(Math.max(...counts)).toBe(65);
  });
});
