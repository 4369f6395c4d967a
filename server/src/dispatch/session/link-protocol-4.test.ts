import type { ServerMessage } from '@signalbox/contract/link';
import { expect, it } from 'vitest';
import { describeOneDatabase } from '../../testing/database/databases.ts';
import { linkedRunner } from '../../testing/runners/linked-runner.ts';
import { connectRunner, SCRIPTED_TOKEN } from '../../testing/runners/scripted-runner.ts';
import { PROTOCOL_4 } from './link-protocol-4.ts';

interface Job {
  readonly task_id: number;
  readonly epoch: number;
}

describeOneDatabase('[R13] a runner with the previous protocol', (makeLocation) => {
  const setUp = async () => {
    const linked = await linkedRunner(makeLocation);
    const { server, location } = linked;
    const connect = async (runs: (Job & { readonly state: 'playing' | 'ended' })[] = []) => {
      const runner = await connectRunner(server, location.folder, SCRIPTED_TOKEN, (value) => value as ServerMessage);
      runner.hello(runs, { protocol: PROTOCOL_4 });
      const next = async (type: string) => (await runner.receives(type as never)) as Record<string, unknown>;
      expect(await next('welcome')).toMatchObject({ protocol: PROTOCOL_4 });
      return { runner, next };
    };
    return { ...linked, connect };
  };

  it('gets its job, reports the run, and its messages have the names of that protocol', async () => {
    const { connect, launch, task, lines } = await setUp();
    const { runner, next } = await connect();
    const id = await launch();
    const { order, seal_key, ...rest } = await next('order');
    expect(rest).toEqual({ type: 'order' });
    expect(order).toMatchObject({ task_id: id, playbook: 'site.yml' });
    expect(seal_key).toEqual(expect.any(String));
    const run = { task_id: id, epoch: (order as Job).epoch };
    runner.send({ type: 'accepted', ...run });
    expect(await next('go')).toEqual({ type: 'go', ...run });
    runner.send({ type: 'started', ...run });
    runner.send({ type: 'output', ...run, first: 1, times: [1], lines: ['one'], offset: 4 });
    await next('output_stored');
    const again = await connect([{ ...run, state: 'ended' }]);
    expect(await again.next('resume')).toMatchObject({ ...run, next_line: 2, seal_key });
    again.runner.send({ type: 'ended', ...run, result: 'success', reason: 'finished', lines: 1 });
    expect(await again.next('settled')).toEqual({ type: 'settled', ...run });
    expect((await task(id)).status).toBe('success');
    expect((await lines(id)).lines.map(([, text]) => text)).toEqual(['one']);
    const late = await connect([{ ...run, epoch: run.epoch + 1, state: 'playing' }]);
    expect(await late.next('drop')).toEqual({ type: 'drop', ...run, epoch: run.epoch + 1 });
  });

  it('answers a query', async () => {
    const { connect, client, sample } = await setUp();
    const { runner, next } = await connect();
    const branches = client.get(`${sample.base}/repositories/${sample.repositoryId}/branches`);
    const { question_id, question } = await next('question');
    expect(question).toMatchObject({ ask: 'branches', repository: { id: sample.repositoryId } });
    runner.send({ type: 'answer', question_id, answer: { ask: 'branches', branches: ['main'] } } as never);
    expect((await branches).json()).toEqual(['main']);
  });
});
