import { expect, it } from 'vitest';
import { describeOneDatabase } from '../../testing/database/databases.ts';
import { linkedRunner } from '../../testing/runners/linked-runner.ts';

const FIRST_RECORDS = [
  { kind: 'play', at: 1, line: 1, play: 1, name: 'Web', hosts: 3 },
  { kind: 'step', at: 1, line: 1, step: 1, play: 1, name: 'Copy', action: 'copy', handler: false },
  { kind: 'host', at: 1, line: 1, step: 1, host: 'one', result: 'ok', message: '' },
] as const;

describeOneDatabase('the end reason of a task', (makeLocation) => {
  const UNKNOWN = { code: 'git.refused', params: { repository: '', detail: '' } };
  const LONG = { repository: '', detail: 'x'.repeat(501) };
  it.each<[string, object | undefined, object | undefined]>([
    ['a reason', { code: 'git.branch_missing', params: { repository: '/srv/infra', branch: 'main' } }, undefined],
    ['a code that the server does not know', { code: 'git.of_tomorrow', params: { detail: 'x' } }, UNKNOWN],
    ['a text that is too long', { code: 'git.refused', params: LONG }, UNKNOWN],
    ['no reason, as an older one does', undefined, UNKNOWN],
  ])('is shown when the runner reports %s', async (_, end_reason, answered) => {
    const { begun, task } = await linkedRunner(makeLocation);
    const { runner, id, run } = await begun();
    expect((await task(id)).end_reason).toBeNull();
    const ended = { type: 'ended', ...run, result: 'error', reason: 'repository', lines: 0, end_reason };
    runner.send(ended as Parameters<typeof runner.send>[0]);
    await runner.receives('acknowledged');
    const sent = await task(id);
    expect(sent).toMatchObject({ status: 'error', end_reason: answered ?? end_reason });
    expect(sent.end_reason?.text).toMatch(
      answered ? "The repository can't be used" : 'Branch “main” is not in /srv/infra',
    );
  });

  it.each<[string, object, object]>([
    [
      'failed and was first',
      {},
      {
        code: 'hosts.failed',
        params: { failed: 2, hosts: 3, host: 'two', step: 'Copy', message: 'disk full' },
        text: '2 of 3 hosts failed (two, “Copy”: disk full)',
      },
    ],
    [
      'was unreachable and was first',
      { result: 'unreachable' },
      { code: 'hosts.unreachable', params: { unreachable: 2, hosts: 3, host: 'two', message: 'disk full' } },
    ],
  ])('names the host from the results when a host %s', async (_, change, reason) => {
    const { begun, task } = await linkedRunner(makeLocation);
    for (const end_reason of [undefined, { code: 'ansible.exit', params: { exit_code: 2 } } as const]) {
      const { runner, id, run } = await begun();
      runner.send({
        type: 'results',
        ...run,
        first: 1,
        records: [
          ...FIRST_RECORDS,
          { kind: 'host', at: 2, line: 1, step: 1, host: 'two', result: 'failed', message: 'disk\nfull', ...change },
          { kind: 'host', at: 3, line: 1, step: 1, host: 'three', result: 'unreachable', message: 'timeout' },
        ],
      });
      await runner.receives('results_stored');
      runner.send({ type: 'ended', ...run, result: 'error', reason: 'exit_code', lines: 0, end_reason });
      await runner.receives('acknowledged');
      expect((await task(id)).end_reason).toMatchObject(reason);
      runner.close();
    }
  });

  it('is a changed host key when this is the cause at every unreachable host', async () => {
    const { begun, task } = await linkedRunner(makeLocation);
    const changed = 'The host key of 10.0.0.2 has changed, so the connection was refused.';
    const cause = 'host_key_changed';
    for (const [others, code, text] of [
      [
        { message: changed, cause },
        'hosts.host_key_changed',
        'The host key of two has changed: another machine may be answering. If the key was changed on purpose, remove the old key as the end of the log shows (2 of 3 hosts)',
      ],
      [{ message: 'timeout' }, 'hosts.unreachable', `two is unreachable: ${changed} (2 of 3 hosts)`],
    ] as const) {
      const { runner, id, run } = await begun();
      runner.send({
        type: 'results',
        ...run,
        first: 1,
        records: [
          ...FIRST_RECORDS,
          { kind: 'host', at: 2, line: 1, step: 1, host: 'two', result: 'unreachable', message: changed, cause },
          { kind: 'host', at: 3, line: 1, step: 1, host: 'three', result: 'unreachable', ...others },
        ],
      });
      await runner.receives('results_stored');
      const end_reason = { code: 'ansible.exit', params: { exit_code: 4 } } as const;
      runner.send({ type: 'ended', ...run, result: 'error', reason: 'exit_code', lines: 0, end_reason });
      await runner.receives('acknowledged');
      expect((await task(id)).end_reason).toMatchObject({ code, text });
      runner.close();
    }
  });

  it('is never one that only a server knows, such as a user who stopped the task', async () => {
    const { begun, task } = await linkedRunner(makeLocation);
    for (const end_reason of [
      { code: 'stop.user', params: { user: 'admin' } },
      { code: 'runner.silent', params: { runner: 'other' } },
    ] as const) {
      const { runner, id, run } = await begun();
      runner.send({ type: 'ended', ...run, result: 'error', reason: 'lost', lines: 0, end_reason });
      await runner.receives('acknowledged');
      expect((await task(id)).end_reason).toMatchObject({ code: 'supervisor.lost' });
      runner.close();
    }
  });

  it('names the user who stopped the task, or the runner if no user did', async () => {
    const { client, sample, begun, task } = await linkedRunner(makeLocation);
    for (const [body, reason] of [
      [{}, { code: 'stop.user', params: { user: 'admin' }, text: 'Stopped by admin' }],
      [{ force: true }, { code: 'stop.forced', params: { user: 'admin' }, text: 'Stopped by admin by force' }],
      [undefined, { code: 'stop.runner', params: {}, text: 'Stopped because its runner was shut down' }],
    ] as const) {
      const { runner, id, run } = await begun();
      runner.send({ type: 'started', ...run });
      if (body) await client.post(`${sample.base}/tasks/${id}/stop`, body);
      expect((await task(id)).end_reason).toBeNull();
      runner.send({ type: 'ended', ...run, result: 'stopped', reason: 'stopped', lines: 0 });
      await runner.receives('acknowledged');
      expect((await task(id)).end_reason).toEqual(reason);
      runner.close();
    }
  });

  it('does not mention a requested stop when the task ended by itself before', async () => {
    const { client, sample, begun, task } = await linkedRunner(makeLocation);
    for (const [result, end_reason] of [
      ['success', null],
      ['error', { code: 'disk.full', params: {}, text: "The runner's disk is full" }],
    ] as const) {
      const { runner, id, run } = await begun();
      runner.send({ type: 'started', ...run });
      await client.post(`${sample.base}/tasks/${id}/stop`, {});
      const why = end_reason ? { end_reason: { code: end_reason.code, params: {} } } : {};
      runner.send({ type: 'ended', ...run, result, reason: 'disk', lines: 0, ...why });
      await runner.receives('acknowledged');
      expect((await task(id)).end_reason).toEqual(end_reason);
      runner.close();
    }
  });
});
