import { type LogComparison, MAX_COMPARED_LINES } from '@signalbox/contract';
import { expect, it } from 'vitest';
import type { Line } from '../../../logs/block-codec.ts';
import { describeEachDatabase, type MakeLocation } from '../../../testing/database/databases.ts';
import { sampleProject } from '../../../testing/sample-project.ts';
import { sampleRun } from '../../../testing/sample-results.ts';
import { startTestServer } from '../../../testing/test-server.ts';

const setUp = async (makeLocation: MakeLocation) => {
  const server = await startTestServer(await makeLocation());
  const admin = await server.signIn();
  const { base, template } = await sampleProject(admin);
  const template_id = await template();
  const { database, logs } = server.storage;
  const update = (id: number, row: object) =>
    database.autocommit.updateTable('task').set(row).where('id', '=', id).execute();
  /** A run of two steps, with headers in lines 10 and 20. */
  const start = async (status: 'success' | 'error', lines: readonly string[], isCut = false) => {
    const { id: taskId } = (await admin.post(`${base}/tasks`, { template_id })).json<{ id: number }>();
    await update(taskId, { status });
    const stored = lines.map((text): Line => [1, text]);
    await logs.appendOutput({ taskId, epoch: 1, first: 1, lines: stored, offset: 1 });
    await logs.appendResults({ taskId, epoch: 1, first: 1, records: sampleRun({ hosts: 3, steps: 2, isCut }) });
    return taskId;
  };
  const compare = async (id: number, query = '') =>
    (await admin.get(`${base}/tasks/${id}/comparison/log${query}`)).json<LogComparison>();
  return { start, compare, update };
};

const log = (...last: string[]): string[] => [
  ...Array.from({ length: 9 }, (_, at) => `prepared in ${at} s`),
  ...['TASK [Step 1] ***', 'ok: [web-0]', 'ok: [web-1]'],
  ...Array.from({ length: 7 }, () => ''),
  ...['TASK [Step 2] ***', ...last],
];

describeEachDatabase('the logs of two tasks', (makeLocation) => {
  it('differ by step in lines that only one of them has', async () => {
    const { start, compare, update } = await setUp(makeLocation);
    const good = await start('success', log('ok: [web-0]', 'ok: [web-1]'));
    const bad = await start('error', log('fatal: [web-1]: FAILED!', 'ok: [web-0]', 'fatal: [web-2]: FAILED!'));
    const found = await compare(bad);
    expect(found).toMatchObject({ other_id: good, removed: [], total: 4, next: null });
    expect(found.parts).toEqual([
      {
        ...{ part: 'step', play: 'Sample', name: 'Step 2', earlier_line: 20, later_line: 20, more: 0, complete: true },
        lines: [
          { of: 'both', text: 'TASK [Step 2] ***', line: 20, count: 1, skipped: 0 },
          { of: 'later', text: 'fatal: [web-1]: FAILED!', line: 21, count: 2, skipped: 0 },
          { of: 'both', text: 'ok: [web-0]', line: 22, count: 1, skipped: 0 },
        ],
      },
    ]);
    expect(await compare(bad, '?from=5')).toMatchObject({ parts: [], lines: 0, next: null });
    await update(good, { log_removed: 1 });
    expect(await compare(bad)).toMatchObject({ removed: [good], parts: [], total: 0 });
  });

  it('have parts before the first step and after the last one, without numbers of lines that a run does not have', async () => {
    const { start, compare } = await setUp(makeLocation);
    const lines = log(...Array.from({ length: 9 }, () => 'ok: [web-0]'));
    await start('success', [...lines, 'PLAY RECAP ***', 'web-0 : ok=2']);
    const cut = await start('error', ['cloned', ...lines.slice(1)], true);
    const { parts } = await compare(cut);
    expect(parts.map(({ part, name, earlier_line, later_line }) => [part, name, earlier_line, later_line])).toEqual([
      ['start', '', 1, 1],
      ['end', '', 30, null],
    ]);
  });

  it('are compared up to a limit in long steps', async () => {
    const { start, compare } = await setUp(makeLocation);
    const long = Array.from({ length: MAX_COMPARED_LINES + 5 }, (_, at) => `ok: [web-${at % 3}] => ${at}`);
    await start('success', log(...long), true);
    const bad = await start('error', log(...long.slice(0, 100), 'fatal: [web-0]: FAILED!'), true);
    const found = await compare(bad);
    expect(found.parts.map(({ name, complete, lines }) => [name, complete, lines.length])).toEqual([
      ['Step 2', false, 2],
    ]);
    expect(found.lines).toBeGreaterThan(MAX_COMPARED_LINES);
  });
});
