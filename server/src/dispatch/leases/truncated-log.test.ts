import type { LogLines } from '@signalbox/contract';
import { expect, it } from 'vitest';
import type { Logs } from '../../database/database.ts';
import { openLogsFile } from '../../database/logs-file.ts';
import { describeEachDatabase } from '../../testing/database/databases.ts';
import { linkedRunner } from '../../testing/runners/linked-runner.ts';

/** Lines of one batch. They are long, so each batch becomes one block. */
const BATCH = 20;
const LONG = 'x'.repeat(15_000);

describeEachDatabase('a log that another program has truncated', (makeLocation) => {
  it('shows the number of missing lines, and the other lines keep their numbers', async () => {
    const { location, server, client, sample, begun } = await linkedRunner(makeLocation);
    const { runner, id, run } = await begun();
    runner.send({ type: 'started', ...run });
    const texts = Array.from({ length: 3 * BATCH }, (_, at) => `${at + 1} ${LONG}`);
    const times = texts.slice(0, BATCH).map(() => Date.parse('2026-11-21T10:00:00Z'));
    for (let at = 0; at < texts.length; at += BATCH) {
      runner.send({ type: 'output', ...run, first: at + 1, times, lines: texts.slice(at, at + BATCH), offset: at });
      await runner.receives('output_stored');
    }
    runner.send({ type: 'ended', ...run, result: 'success', reason: 'finished', lines: texts.length });
    await runner.receives('acknowledged');
    const path = `${sample.base}/tasks/${id}`;
    const page = async (query = '') => (await client.get(`${path}/lines${query}`)).json<LogLines>();
    const raw = async () => (await client.get(`${path}/raw_output`)).body.split('\n').slice(0, -1);
    expect((await page()).missing).toBe(0);
    expect(await raw()).toEqual(texts);
    expect((await client.get(path)).json()).toMatchObject({
      runner_id: expect.any(Number),
      runner_name: expect.stringMatching(/./),
      schedule_id: null,
      schedule_name: '',
    });

    const { database } = server.storage;
    const isApart = database.capabilities.logsApart;
    const logs = isApart ? openLogsFile(location.folder) : (database.autocommit as unknown as Logs);
    await logs
      .deleteFrom('log_block')
      .where('task_id', '=', id)
      .where('first', '=', BATCH + 1)
      .execute();
    const kept = texts.map((text, at) => (at >= BATCH && at < 2 * BATCH ? '' : text));
    for (const query of ['?from=1', '']) {
      const { lines, missing, total, first } = await page(query);
      expect({ missing, total, first }).toEqual({ missing: BATCH, total: 3 * BATCH, first: 1 });
      expect(lines.map(([, text]) => text)).toEqual(kept);
    }
    const own = kept.map((text) => (text === '' ? '[signalbox] ' : text));
    expect(await raw()).toEqual([...own, '[signalbox] The log is incomplete: 20 of its lines are no longer stored.']);

    // As after the log file was replaced by an older or empty one.
    await logs.deleteFrom('log_block').where('task_id', '=', id).execute();
    await logs.deleteFrom('log_head').where('task_id', '=', id).execute();
    if (isApart) await logs.destroy();
    expect(await page()).toMatchObject({ missing: 3 * BATCH, total: 0, lines: [] });
    expect(await raw()).toEqual(['[signalbox] The log is incomplete: 60 of its lines are no longer stored.']);
    const records = (await client.get(`${path}/output`)).json<{ source: string; output: string }[]>();
    expect(records).toMatchObject([{ source: 'server', output: expect.stringContaining('60 of its lines') }]);
  });
});
