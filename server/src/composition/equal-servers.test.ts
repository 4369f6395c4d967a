import type { LiveMessage, Runner } from '@signalbox/contract';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { describeRemoteDatabase, type MakeLocation } from '../testing/database/databases.ts';
import { listen } from '../testing/live-client.ts';
import { addMember } from '../testing/sample-project.ts';
import { TestClock } from '../testing/test-clock.ts';
import { twoServers } from '../testing/two-servers.ts';
import { VERSION } from '../version.ts';

const output = (run: { task_id: number; epoch: number }, first: number, ...lines: string[]) =>
  ({ type: 'output', ...run, first, lines, times: lines.map(() => 1000), offset: first }) as const;

/** A page that is open at the second server, and tasks that the runner of the first one takes. */
const setUp = async (makeLocation: MakeLocation) => {
  const servers = await twoServers(makeLocation);
  const { second, admin, sample, runner } = servers;
  const templateId = await sample.template();
  const page = await listen(second, admin);
  const follow = (...tasks: number[]) => page.socket.send(JSON.stringify({ type: 'follow', tasks }));
  follow();
  const launch = async () =>
    (await admin.post(`${sample.base}/tasks`, { template_id: templateId })).json<{ id: number }>().id;
  const running = async () => {
    const id = await launch();
    const run = { task_id: id, epoch: (await runner.receives('job')).job.epoch };
    runner.send({ type: 'accepted', ...run });
    await runner.receives('start');
    return { id, run };
  };
  const of = <T extends LiveMessage['type']>(type: T) =>
    page.messages.filter((message): message is Extract<LiveMessage, { type: T }> => message.type === type);
  return { ...servers, follow, launch, running, of };
};

describeRemoteDatabase('servers of one database', (makeLocation) => {
  it('[R3] show the run of a runner at another server as if it were linked to them', async () => {
    const { admin, sample, runner, follow, running, of } = await setUp(makeLocation);
    const { id, run } = await running();
    await expect.poll(() => of('update').map(({ status }) => status)).toContain('starting');
    const record = { kind: 'host', at: 1, line: 1, step: 1, host: 'web-01', result: 'ok', message: '' } as const;
    for (const line of [1, 2]) {
      runner.send(output(run, line, 'before the page follows'));
      await runner.receives('output_stored');
    }
    runner.send({ type: 'results', ...run, first: 1, records: [record] });
    await runner.receives('results_stored');
    await expect.poll(async () => (await admin.get(`${sample.base}/tasks/${id}/lines`)).json().total).toBe(2);
    follow(id);
    // The page did not see the first lines, so it gets the length of the log.
    await expect.poll(() => of('behind').map(({ total }) => total)).toContain(2);
    for (let line = 3; line <= 200; line++) runner.send(output(run, line, `line ${line}`));
    // The notice of the second line may arrive after the page follows: that line is sent and loaded.
    const lines = () =>
      of('lines')
        .flatMap(({ first, lines }) => lines.map(([, text], at) => [first + at, text] as const))
        .filter(([number]) => number > 2);
    await expect.poll(() => lines().length).toBe(198);
    expect(lines()).toEqual(Array.from({ length: 198 }, (_, n) => [n + 3, `line ${n + 3}`]));
    runner.send({ type: 'results', ...run, first: 2, records: [record] });
    await expect.poll(() => of('results').at(-1)).toMatchObject({ task_id: id, first: 2, records: [record] });
    runner.send({ type: 'commit', ...run, commit_hash: 'abc', commit_message: 'A change' });
    runner.send({ type: 'ended', ...run, result: 'success', reason: 'finished', lines: 200 });
    await expect.poll(() => of('update').at(-1)?.status).toBe('success');
  });

  it('[R5] pass on a stop to the runner of a run, and withdraw a task that it has not accepted', async () => {
    const { admin, sample, runner, launch, running, of } = await setUp(makeLocation);
    const { id, run } = await running();
    await admin.post(`${sample.base}/tasks/${id}/stop`, { force: true });
    expect(await runner.receives('stop')).toEqual({ type: 'stop', ...run, force: true });
    runner.send({ type: 'ended', ...run, result: 'stopped', reason: 'stopped', lines: 0 });
    await expect.poll(() => of('update').at(-1)).toMatchObject({ task_id: id, status: 'stopped' });

    const waiting = await launch();
    await runner.receives('job');
    await admin.post(`${sample.base}/tasks/${waiting}/stop`, {});
    expect(await runner.receives('abandon')).toMatchObject({ task_id: waiting });
  });

  it('[S4] close a page when its session ends or its user leaves the project at another server', async () => {
    const { first, second, sample, admin } = await setUp(makeLocation);
    const member = await addMember(first, 'guest', { projectId: sample.projectId, role: 'guest' });
    const page = await listen(second, member);
    page.socket.send(JSON.stringify({ type: 'follow', tasks: [] }));
    await admin.put(`${sample.base}`, { name: 'Changed' });
    await expect.poll(() => page.messages).toContainEqual(expect.objectContaining({ part: 'project' }));
    await first.clientOf(member.cookie).post('/auth/logout');
    expect((await page.closed)[0]).toBe(1008);
  });

  it('know the runners of each other, and so why a task waits', async () => {
    const clock = new TestClock(new Date().toISOString());
    const { second, admin, sample, runner } = await twoServers(makeLocation, { clock, apps: [] });
    await runner.receives('welcome');
    const runners = async () => (await admin.get('/runners')).json<Runner[]>();
    await expect.poll(runners).toMatchObject([{ connected: true, slots: 3, version: VERSION }]);
    await expect
      .poll(async () => (await second.anonymous.get('/ready')).json())
      .toEqual({ status: 'ready', runners: 1, notices: 'connected' });
    clock.pass(6_000);
    const template_id = await sample.template();
    const { id } = (await admin.post(`${sample.base}/tasks`, { template_id })).json<{ id: number }>();
    const reason = async () => (await admin.get(`${sample.base}/tasks/${id}`)).json().waiting_reason?.code;
    await expect.poll(reason).toBe('no_runner_with_app');
    runner.close();
    await expect.poll(reason).toBe('no_runner');
    expect(await runners()).toMatchObject([{ connected: false }]);
  });

  it('make pages load everything again after the notices of a server were cut off', async () => {
    const { first, admin, sample, runner, running, of } = await setUp(makeLocation);
    const { id, run } = await running();
    const { autocommit } = first.storage.database;
    const cut = await sql<{ pid: number }>`
      select pid, pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and application_name = 'signalbox notices'`.execute(autocommit);
    expect(cut.rows).toHaveLength(2);
    runner.send({ type: 'ended', ...run, result: 'success', reason: 'finished', lines: 0 });
    await expect.poll(async () => (await admin.get(`${sample.base}/tasks/${id}`)).json().status).toBe('success');
    await expect.poll(() => of('missed').length).toBeGreaterThan(0);
    const { id: next } = await running();
    await expect.poll(() => of('update').at(-1)).toMatchObject({ task_id: next, status: 'starting' });
  });
});
