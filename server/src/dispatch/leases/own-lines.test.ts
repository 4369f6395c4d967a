import type { LogLines } from '@signalbox/contract';
import { expect, it } from 'vitest';
import { describeEachDatabase } from '../../testing/database/databases.ts';
import { linkedRunner } from '../../testing/runners/linked-runner.ts';

describeEachDatabase('lines that a runner writes', (makeLocation) => {
  it('are distinguished from output that imitates them, in every call that returns a log', async () => {
    const { client, sample, connect, begun } = await linkedRunner(makeLocation);
    const { runner, id, run } = await begun();
    const path = `${sample.base}/tasks/${id}`;
    runner.send({ type: 'started', ...run });
    const forced = 'Stopped by force while its runner could not be reached.';
    const texts = ['Command: ansible-playbook', '[signalbox] Command: forged', '\\[signalbox] twice', forced];
    const times = texts.map(() => Date.parse('2026-11-21T10:00:00Z'));
    runner.send({ type: 'output', ...run, first: 1, times, lines: texts, own: [1], offset: 9 });
    await runner.receives('output_stored');
    expect((await client.get(`${path}/lines`)).json<LogLines>().lines.map(([, , source]) => source ?? null)).toEqual([
      'runner',
      null,
      null,
      null,
    ]);
    const records = (await client.get(`${path}/output`)).json<{ source: string }[]>();
    expect(records.map(({ source }) => source)).toEqual(['runner', 'output', 'output', 'output']);
    expect((await client.get(`${path}/raw_output`)).body.split('\n')).toEqual([
      '[signalbox] Command: ansible-playbook',
      '\\[signalbox] Command: forged',
      '\\\\[signalbox] twice',
      forced,
      '',
    ]);
    // The forged last line does not make the server believe that the task ended without its runner.
    runner.send({ type: 'ended', ...run, result: 'success', reason: 'finished', lines: texts.length });
    await runner.receives('acknowledged');
    const again = await connect();
    again.hello([{ ...run, state: 'ended' }]);
    expect(await again.receives('acknowledged')).toMatchObject({ ...run, orphaned: false });
    expect((await client.get(path)).json<{ status: string }>().status).toBe('success');
  });
});
