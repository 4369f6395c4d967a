import { once } from 'node:events';
import { LINK_PROTOCOL, type ReportedRun } from '@signalbox/contract/link';
import { expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { runnerSocketPath } from '../../files/data-folder.ts';
import { hashToken } from '../../secrets/token.ts';
import { describeOneDatabase } from '../../testing/database/databases.ts';
import { linkedRunner } from '../../testing/runners/linked-runner.ts';
import { connectRunner } from '../../testing/runners/scripted-runner.ts';

const output = (run: { task_id: number; epoch: number }, first: number, ...lines: string[]) =>
  ({
    type: 'output',
    ...run,
    first,
    lines,
    times: lines.map((_, n) => Date.parse('2026-11-21T10:00:00Z') + n),
    offset: first * 100,
  }) as const;

describeOneDatabase('the link to a runner', (makeLocation) => {
  it('takes a task from waiting to success', async () => {
    const { connect, launch, task, lines } = await linkedRunner(makeLocation);
    const runner = await connect();
    runner.hello();
    const id = await launch();
    const { job } = await runner.receives('job');
    const run = { task_id: id, epoch: job.epoch };
    expect(job).toMatchObject({ task_id: id, playbook: 'site.yml', task_details: { id, username: 'admin' } });
    // Sending a job is no start: the task waits until the runner has stored the job.
    expect((await task(id)).status).toBe('waiting');
    runner.send({ type: 'accepted', ...run });
    await runner.receives('start');
    expect(await task(id)).toMatchObject({ status: 'starting', start: expect.any(String), end: null });
    runner.send({ type: 'commit', ...run, commit_hash: 'abc', commit_message: 'A change' });
    runner.send({ type: 'started', ...run });
    runner.send(output(run, 1, 'one', 'two'));
    expect(await runner.receives('output_stored')).toMatchObject({ next_line: 3, offset: 100 });
    runner.send({ type: 'ended', ...run, result: 'success', reason: 'finished', lines: 2 });
    await runner.receives('acknowledged');
    expect(await task(id)).toMatchObject({ status: 'success', end: expect.any(String), commit_hash: 'abc' });
    expect((await lines(id)).lines.map(([, text]) => text)).toEqual(['one', 'two']);
  });

  it('[R2] repeats a lost start message, and starts the run on no other runner', async () => {
    const { connect, task, begun } = await linkedRunner(makeLocation);
    const { runner, id, run } = await begun();
    runner.close();
    const again = await connect();
    again.hello([{ ...run, state: 'accepted' }]);
    await again.receives('start');
    expect((await task(id)).status).toBe('starting');
    expect(again.received.filter(({ type }) => type === 'job')).toEqual([]);
  });

  it('[R3] ends a task that succeeded although its start message was lost', async () => {
    const { connect, begun, task } = await linkedRunner(makeLocation);
    const { runner, id, run } = await begun();
    runner.close();
    const again = await connect();
    again.hello([{ ...run, state: 'ended' }]);
    await again.receives('resume');
    again.send({ type: 'ended', ...run, result: 'success', reason: 'finished', lines: 0 });
    await again.receives('acknowledged');
    expect((await task(id)).status).toBe('success');
  });

  it('[R3] ends a task that its runner stopped before its acceptance arrived', async () => {
    const { connect, leased, task, lines } = await linkedRunner(makeLocation);
    const { runner, id, run } = await leased();
    runner.close();
    const again = await connect();
    again.hello([{ ...run, state: 'ended' }]);
    await again.receives('resume');
    again.send(output(run, 1, 'The task was stopped.'));
    await again.receives('output_stored');
    again.send({ type: 'ended', ...run, result: 'stopped', reason: 'stopped', lines: 1 });
    await again.receives('acknowledged');
    expect((await task(id)).status).toBe('stopped');
    const { lines: log, sealed: isClosed } = await lines(id);
    expect({ isClosed, log: log.map(([, text]) => text) }).toEqual({ isClosed: true, log: ['The task was stopped.'] });
  });

  it('[S10] ignores a runner that has not sent hello, and keeps its earlier link', async () => {
    const { connect, begun, task } = await linkedRunner(makeLocation);
    const { runner, id, run } = await begun();
    const second = await connect();
    second.send({ type: 'heartbeat', runs: [], draining: true });
    second.send({ type: 'ended', ...run, result: 'error', reason: 'exit_code', lines: 0 });
    runner.send(output(run, 1, 'one'));
    await runner.receives('output_stored');
    expect((await task(id)).status).toBe('starting');
    expect(second.received).toEqual([]);
  });

  it('[R6] [S10] refuses lines with line breaks or invalid times', async () => {
    const { begun, task, lines } = await linkedRunner(makeLocation);
    const { runner, id, run } = await begun();
    runner.send(output(run, 1, 'one\ntwo'));
    runner.send({ ...output(run, 1, 'one'), times: [1e300] });
    runner.send(output(run, 1, 'whole'));
    await runner.receives('output_stored');
    runner.send({ type: 'ended', ...run, result: 'success', reason: 'finished', lines: 1 });
    await runner.receives('acknowledged');
    expect((await task(id)).status).toBe('success');
    expect((await lines(id)).lines.map(([, text]) => text)).toEqual(['whole']);
  });

  it('[R3] keeps a run whose runner reports it before it received the line at which to continue', async () => {
    const { connect, begun, task, lines } = await linkedRunner(makeLocation);
    const { runner, id, run } = await begun();
    runner.close();
    const again = await connect();
    again.hello([{ ...run, state: 'playing' }]);
    again.send(output(run, 1, 'too early'));
    await again.receives('resume');
    again.send(output(run, 1, 'one'));
    await again.receives('output_stored');
    again.send({ type: 'ended', ...run, result: 'success', reason: 'finished', lines: 1 });
    await again.receives('acknowledged');
    expect(again.received.filter(({ type }) => type === 'abandon')).toEqual([]);
    expect((await task(id)).status).toBe('success');
    expect((await lines(id)).lines.map(([, text]) => text)).toEqual(['one']);
  });

  it('[R6] sends a returning runner the line at which to continue, and stores no line twice', async () => {
    const { connect, lines, begun } = await linkedRunner(makeLocation);
    const { runner, id, run } = await begun();
    runner.send({ type: 'started', ...run });
    runner.send(output(run, 1, 'one', 'two'));
    await runner.receives('output_stored');
    runner.close();
    const again = await connect();
    again.hello([{ ...run, state: 'playing' }]);
    expect(await again.receives('resume')).toMatchObject({ next_line: 3, offset: 100, next_result: 1 });
    again.send(output(run, 2, 'two', 'three'));
    await again.receives('output_stored');
    again.send({ type: 'ended', ...run, result: 'error', reason: 'exit_code', lines: 3 });
    await again.receives('acknowledged');
    expect((await lines(id)).lines.map(([, text]) => text)).toEqual(['one', 'two', 'three']);
  });

  it('[R3] ends a run as error that a restarted runner does not know, with the reason in the log', async () => {
    const { connect, task, lines, begun } = await linkedRunner(makeLocation);
    const { runner, id, run } = await begun();
    runner.send({ type: 'started', ...run });
    runner.send(output(run, 1, 'one'));
    await runner.receives('output_stored');
    runner.close();
    const empty = await connect();
    empty.hello([]);
    await empty.receives('abandon');
    expect((await task(id)).status).toBe('error');
    expect((await lines(id)).lines.at(-1)?.[1]).toMatch(/lost this run/);
    expect((await task(id)).end_reason).toMatchObject({
      code: 'runner.lost',
      params: { runner: expect.stringMatching(/./) },
    });
    // A late report of the old run is refused.
    empty.send({ type: 'ended', ...run, result: 'success', reason: 'finished', lines: 1 });
    await empty.receives('abandon');
    expect((await task(id)).status).toBe('error');
  });

  it('[S10] stores nothing that a runner reports about a task of another runner', async () => {
    const { connect, launch, task, lines } = await linkedRunner(makeLocation);
    const runner = await connect();
    runner.hello();
    const id = await launch();
    const { job } = await runner.receives('job');
    for (const run of [
      { task_id: id, epoch: job.epoch + 1 },
      { task_id: id + 1, epoch: 1 },
    ]) {
      runner.send({ type: 'accepted', ...run });
      runner.send(output(run, 1, 'forged'));
      runner.send({ type: 'ended', ...run, result: 'success', reason: 'finished', lines: 0 });
      for (let n = 0; n < 3; n++) await runner.receives('abandon');
    }
    expect((await task(id)).status).toBe('waiting');
    expect((await lines(id)).total).toBe(0);
  });

  it('[R6] [S10] sends the key of an ended run only to the runner that holds it', async () => {
    const { location, server, connect, begun } = await linkedRunner(makeLocation);
    const { runner, run, job_key } = await begun();
    const other = { name: 'other', token_hash: hashToken('other'), slots: 1, created: new Date().toISOString() };
    await server.storage.database.autocommit.insertInto('runner').values(other).execute();
    const stranger = await connectRunner(server, location.folder, 'other');
    stranger.hello([{ ...run, state: 'ended' }]);
    expect(await stranger.receives('abandon')).toEqual({ type: 'abandon', ...run });
    runner.close();
    const comesBack = async (run: ReportedRun) => {
      const again = await connect();
      again.hello([run]);
      return again;
    };
    const wrong = await comesBack({ ...run, epoch: run.epoch + 1, state: 'ended' });
    expect(await wrong.receives('abandon')).toEqual({ type: 'abandon', ...run, epoch: run.epoch + 1 });
    // The runner still executes the run and has its secrets.
    const playing = await comesBack({ ...run, state: 'playing' });
    expect(await playing.receives('resume')).not.toHaveProperty('job_key');
    const ended = await comesBack({ ...run, state: 'ended' });
    expect(await ended.receives('resume')).toMatchObject({ job_key });
  });

  it('[R5] forwards a stop, and ends the lease of a task that was not accepted', async () => {
    const { client, sample, launch, task, leased } = await linkedRunner(makeLocation);
    const { runner, id, run } = await leased();
    await client.post(`${sample.base}/tasks/${id}/stop`, {});
    expect((await task(id)).status).toBe('stopped');
    expect(await runner.receives('abandon')).toMatchObject(run);

    const second = await launch();
    const secondRun = { task_id: second, epoch: (await runner.receives('job')).job.epoch };
    runner.send({ type: 'accepted', ...secondRun });
    await runner.receives('start');
    await client.post(`${sample.base}/tasks/${second}/stop`, {});
    expect(await runner.receives('stop')).toMatchObject({ ...secondRun, force: false });
    await client.post(`${sample.base}/tasks/${second}/stop`, { force: true });
    expect(await runner.receives('stop')).toMatchObject({ ...secondRun, force: true });
    expect((await task(second)).status).toBe('stopping');
    runner.send({ type: 'ended', ...secondRun, result: 'stopped', reason: 'stopped', lines: 0 });
    await runner.receives('acknowledged');
    expect((await task(second)).status).toBe('stopped');
  });

  it('[R5] forwards a stop by force, also to a runner that was away when it was requested', async () => {
    const { connect, client, sample, begun } = await linkedRunner(makeLocation);
    const { runner, id, run } = await begun();
    runner.send({ type: 'started', ...run });
    const stop = (force: boolean) => client.post(`${sample.base}/tasks/${id}/stop`, { force });
    await stop(false);
    expect(await runner.receives('stop')).toMatchObject({ force: false });
    await stop(true);
    // The runner is killed before it can handle the message.
    runner.close();
    const again = await connect();
    again.hello([{ ...run, state: 'playing' }]);
    expect(await again.receives('stop')).toMatchObject({ force: true });
    again.received.length = 0;
    again.send({ type: 'heartbeat', runs: [{ ...run, state: 'playing' }] });
    expect(await again.receives('stop')).toMatchObject({ force: true });
  });

  it('[R11] frees a template by force when its runner is lost, and refuses the late result', async () => {
    const { server, connect, client, sample, task, begun } = await linkedRunner(makeLocation);
    const { runner, id, run, job_key } = await begun();
    runner.send({ type: 'started', ...run });
    const { closed } = runner;
    runner.close();
    await closed;
    await expect.poll(async () => (await client.get('/info')).json<{ runners: number }>().runners).toBe(0);
    const since = { unreachable_since: '2026-11-21T10:00:00.000Z' };
    await server.storage.database.autocommit.updateTable('runner').set(since).execute();
    await client.post(`${sample.base}/tasks/${id}/stop`, { force: true });
    expect(await task(id)).toMatchObject({
      status: 'stopped',
      end_reason: { code: 'stop.unreachable', params: { user: 'admin' } },
    });
    const returned = await connect();
    returned.hello([{ ...run, state: 'playing' }]);
    expect(await returned.receives('abandon')).toMatchObject({ ...run, orphaned: true });
    expect((await task(id)).status).toBe('stopped');
    const again = await connect();
    again.hello([{ ...run, state: 'ended' }]);
    expect(await again.receives('acknowledged')).toMatchObject({ ...run, orphaned: true, job_key });
    const events = (await client.get(`${sample.base}/events`)).json<{ description: string }[]>();
    const sent = events.filter(({ description }) => description.includes('is kept on that runner for 24 hours'));
    expect(sent).toHaveLength(1);
  });

  it('[R3] finishes an end without a runner after a crash between its two steps', async () => {
    const { server, connect, task, begun } = await linkedRunner(makeLocation);
    const { runner, id, run } = await begun();
    runner.send({ type: 'started', ...run });
    runner.close();
    const { database, logs } = server.storage;
    const reason = { end_reason: 'runner.silent', end_params: '{"runner":"local"}' } as const;
    await database.autocommit.updateTable('task').set(reason).where('id', '=', id).execute();
    await logs.closeLog(id, [Date.parse('2026-11-21T10:10:00Z'), 'The runner fell silent.', 'server']);
    const returned = await connect();
    returned.hello([{ ...run, state: 'playing' }]);
    expect(await returned.receives('abandon')).toMatchObject({ ...run, orphaned: true });
    expect(await task(id)).toMatchObject({
      status: 'error',
      end_reason: { code: 'runner.silent', params: { runner: 'local' }, text: 'The runner local stopped responding' },
    });
  });

  it('[R10] ends a task whose job a runner cannot store, with the reason, and does not lease it again', async () => {
    const { client, sample, launch, task, leased } = await linkedRunner(makeLocation);
    const { runner, id, run } = await leased();
    runner.send({ type: 'refused', ...run, why: 'The disk of the runner is full.' });
    await expect.poll(async () => (await task(id)).status).toBe('error');
    const text = (await client.get(`${sample.base}/tasks/${id}/raw_output`)).body;
    expect(text).toBe('[signalbox] The disk of the runner is full. The task was not started.\n');
    expect((await task(id)).end_reason).toMatchObject({
      code: 'runner.refused',
      params: { detail: 'The disk of the runner is full.' },
    });
    const next = await launch();
    expect((await runner.receives('job')).job.task_id).toBe(next);
  });

  it('refuses runners without a token, and drains a runner with another protocol', async () => {
    const { location, server, connect, launch } = await linkedRunner(makeLocation);
    for (const headers of [{}, { authorization: 'Bearer wrong' }]) {
      const socket = new WebSocket(`ws+unix:${runnerSocketPath(location.folder)}:/api/runner/link`, { headers });
      const [error] = (await once(socket, 'error')) as [Error];
      expect(error.message).toContain('401');
    }
    const old = await connect();
    old.hello([], { protocol: LINK_PROTOCOL + 1 });
    await old.receives('drain');
    const id = await launch();
    const current = await connect();
    current.hello();
    expect((await current.receives('job')).job.task_id).toBe(id);
    expect(old.received.filter(({ type }) => type === 'job')).toEqual([]);
    expect(server.dispatching.hub.runners()).toHaveLength(1);
  });

  it('leases tasks to a runner of another version with the same protocol', async () => {
    const { connect, launch } = await linkedRunner(makeLocation);
    const older = await connect();
    older.hello([], { version: '0.0.1' });
    expect(await older.receives('welcome')).toMatchObject({ protocol: LINK_PROTOCOL });
    const id = await launch();
    expect((await older.receives('job')).job.task_id).toBe(id);
    expect(older.received.filter(({ type }) => type === 'drain')).toEqual([]);
  });

  it('[R13] gives no task to a local runner from before the apps, and replaces it once it is idle', async () => {
    const { server, connect, launch } = await linkedRunner(makeLocation);
    (await connect()).close();
    await server.storage.database.autocommit.updateTable('runner').set({ name: 'local' }).execute();
    const older = await connect();
    older.hello();
    await older.receives('welcome');
    const id = await launch();
    older.send({ type: 'heartbeat', runs: [] });
    await older.receives('drain');
    older.close();
    const current = await connect();
    current.hello([], { apps: [{ name: 'ansible', version: '2.14.18' }] });
    expect((await current.receives('job')).job.task_id).toBe(id);
    expect(older.received.filter(({ type }) => type === 'job')).toEqual([]);
  });
});
