import { LINK_PROTOCOL, type QueryAnswer } from '@signalbox/contract/link';
import { expect, it } from 'vitest';
import { SYSTEM } from '../../audit/record-event.ts';
import { describeOneDatabase, type TestLocation } from '../../testing/database/databases.ts';
import { ScriptedRunner } from '../../testing/runners/scripted-runner.ts';
import { sampleProject } from '../../testing/sample-project.ts';
import { TestClock } from '../../testing/test-clock.ts';
import { startTestServer, type TestServer } from '../../testing/test-server.ts';
import { LINK_PATH } from '../session/runner-hub.ts';
import { KEPT_MS, LEFT_OVER_MS, sweepQueries } from './query-lease.ts';
import { LEASE_MS } from './query-service.ts';

const START = '2026-11-21T10:00:00.000Z';
const FOUND: QueryAnswer = { ask: 'branches', branches: ['main'] };
const SECRET = 'password-of-the-repository';

const setUp = async (location: TestLocation) => {
  const clock = new TestClock(START);
  const server = await startTestServer(location, {}, clock);
  const admin = await server.signIn();
  const sample = await sampleProject(admin);
  const key = { name: 'Git', type: 'login_password', login_password: { login: 'git', password: SECRET } };
  const { id: ssh_key_id } = (await admin.post(`${sample.base}/keys`, key)).json<{ id: number }>();
  const repository = { name: 'Locked', git_url: 'https://git.example/x.git', git_branch: 'main', ssh_key_id };
  const { id: repositoryId } = (await admin.post(`${sample.base}/repositories`, repository)).json<{ id: number }>();
  const branches = `${sample.base}/repositories/${repositoryId}/branches`;
  const leases = () => server.storage.database.read.selectFrom('runner_query').selectAll().orderBy('id').execute();
  return { server, clock, admin, sample, repositoryId, ssh_key_id, branches, leases };
};

const connect = async (server: TestServer, name: string, protocol = LINK_PROTOCOL) => {
  const admin = await server.signIn();
  const { id, token } = (await admin.post('/runners', { name })).json<{ id: number; token: string }>();
  const runner = new ScriptedRunner(`${server.baseUrl.replace(/^http/, 'ws')}${LINK_PATH}`, token);
  await runner.open();
  runner.hello([], { protocol });
  await runner.receives('welcome');
  return { id, runner };
};

const events = async (admin: Awaited<ReturnType<typeof setUp>>['admin'], base: string) =>
  (await admin.get(`${base}/events`)).json<{ description: string; username: string }[]>();

describeOneDatabase('[S10] a runner query', (makeLocation) => {
  it('has a lease that is stored before one runner receives it, and ends with the answer', async () => {
    const { server, admin, branches, leases, repositoryId, sample } = await setUp(await makeLocation());
    const [one, two] = [await connect(server, 'one'), await connect(server, 'two')];
    const asking = admin.get(branches);
    const asked = await Promise.race([one, two].map(({ runner }) => runner.receives('query').then(() => runner)));
    const [holder, other] = asked === one.runner ? [one, two] : [two, one];
    const [lease] = await leases();
    expect(lease).toMatchObject({
      project_id: sample.projectId,
      user_id: 1,
      runner_id: holder.id,
      ask: 'branches',
      object_type: 'repository',
      object_id: repositoryId,
      created: START,
      expires: new Date(Date.parse(START) + LEASE_MS.branches).toISOString(),
      ended: null,
    });
    expect(lease?.address).not.toBe('');
    expect(other.runner.received).toEqual([]);
    // Answers of another runner are ignored, even with the right id.
    const query_id = lease?.id ?? 0;
    other.runner.send({ type: 'answer', query_id, answer: { ask: 'branches', branches: ['of the other'] } });
    other.runner.send({ type: 'heartbeat', runs: [] });
    holder.runner.send({ type: 'answer', query_id, answer: FOUND });
    expect((await asking).json()).toEqual(['main']);
    expect(await leases()).toMatchObject([{ ended: START, outcome: 'answered' }]);
    expect(JSON.stringify(await leases())).not.toContain(SECRET);
    // A second answer has no effect.
    holder.runner.send({ type: 'answer', query_id, answer: { ask: 'refused', error: 'No.' } });
    expect(await leases()).toHaveLength(1);
  });

  it('contains the key that it needs, and is recorded as an event when a user requested it on purpose', async () => {
    const { server, admin, sample, ssh_key_id, leases } = await setUp(await makeLocation());
    const { runner } = await connect(server, 'one');
    const git_url = 'https://hidden-token@git.example/y.git';
    const testing = admin.post(`${sample.base}/repositories/test`, { git_url, ssh_key_id });
    const { query, query_id, lease_ms } = await runner.receives('query');
    expect(lease_ms).toBe(LEASE_MS.access);
    expect(query).toEqual({
      ask: 'access',
      access: { type: 'login_password', login: 'git', password: SECRET },
      repository: { url: git_url, branch: '', project_id: sample.projectId },
    });
    runner.send({ type: 'answer', query_id, answer: { ask: 'refused', error: 'It cannot be reached.' } });
    expect((await testing).json()).toEqual({
      works: false,
      reason: 'It cannot be reached.',
      reason_code: { code: 'conflict.runner_text', params: { text: 'It cannot be reached.' } },
      key: null,
      branches: null,
      took_ms: 0,
    });
    expect(await leases()).toMatchObject([{ outcome: 'refused' }]);
    const [event] = await events(admin, sample.base);
    expect(event).toMatchObject({
      description: 'Access to https://git.example/y.git tested on runner one',
      username: 'admin',
    });
  });

  it('ends when its time is over: the runner is notified, and later answers are ignored', async () => {
    const { server, clock, admin, branches, leases } = await setUp(await makeLocation());
    const { runner } = await connect(server, 'one');
    const asking = admin.get(branches);
    const { query_id } = await runner.receives('query');
    clock.pass(LEASE_MS.branches);
    expect(await runner.receives('query_ended')).toEqual({ type: 'query_ended', query_id });
    expect((await asking).statusCode).toBe(503);
    expect(await leases()).toMatchObject([{ outcome: 'timed_out' }]);
    runner.send({ type: 'answer', query_id, answer: FOUND });
    const again = admin.get(branches);
    const next = await runner.receives('query');
    expect(next.query_id).not.toBe(query_id);
    runner.send({ type: 'answer', query_id, answer: { ask: 'branches', branches: ['late'] } });
    runner.send({ type: 'answer', query_id: next.query_id, answer: FOUND });
    expect((await again).json()).toEqual(['main']);
    expect(await leases()).toMatchObject([{ outcome: 'timed_out' }, { outcome: 'answered' }]);
  });

  it('ends with its runner: when the link closes and when the runner is deleted', async () => {
    const { server, admin, branches, leases } = await setUp(await makeLocation());
    const first = await connect(server, 'one');
    const asking = admin.get(branches);
    await first.runner.receives('query');
    first.runner.close();
    expect((await asking).statusCode).toBe(503);
    expect(await leases()).toMatchObject([{ outcome: 'runner_left' }]);
    const second = await connect(server, 'two');
    const again = admin.get(branches);
    await second.runner.receives('query');
    const closed = second.runner.closed;
    expect((await admin.del(`/runners/${second.id}`)).statusCode).toBe(204);
    await closed;
    expect((await again).statusCode).toBe(503);
    expect((await leases())[1]).toMatchObject({ runner_id: second.id, runner_name: 'two', outcome: 'revoked' });
  });

  it('is not sent to a runner that is deleted while its secrets are decrypted, nor when decrypting fails', async () => {
    const { server, sample, leases } = await setUp(await makeLocation());
    const { id, runner } = await connect(server, 'one');
    const request = {
      ask: 'branches',
      projectId: sample.projectId,
      actor: SYSTEM,
      about: { type: 'repository', id: sample.repositoryId },
    } as const;
    const source = { id: 1, url: 'https://git.example/x.git', branch: '', access: { type: 'none' } } as const;
    const { queryService } = server.dispatching;
    const broken = queryService.ask(request, () => Promise.reject(new Error('cannot be opened')));
    await expect(broken).rejects.toThrow('cannot be opened');
    const { autocommit } = server.storage.database;
    const answer = await queryService.ask(request, async () => {
      // As another server would do it, which cannot close this link.
      await autocommit.updateTable('runner').set({ token_hash: 'revoked' }).where('id', '=', id).execute();
      return { ask: 'branches', repository: source };
    });
    expect(answer).toBeUndefined();
    expect(runner.received).toEqual([]);
    const unasked = await queryService.ask(request, () =>
      Promise.reject(new Error('nothing is opened for it any more')),
    );
    expect(unasked).toBeUndefined();
    expect(await leases()).toMatchObject([{ outcome: 'not_sent' }, { outcome: 'not_sent' }]);
  });

  it('has a reason of its own when runners are connected, but none takes queries of the project', async () => {
    const { server, admin, sample, branches, ssh_key_id, repositoryId, leases } = await setUp(await makeLocation());
    const ask = async () => [
      await admin.get(branches),
      await admin.get(`${sample.base}/inventory/${sample.inventoryId}/hosts`),
      await admin.post(`${sample.base}/keys/${ssh_key_id}/test`, { repository_id: repositoryId }),
    ];
    const codes = async () => (await ask()).map((answer) => [answer.statusCode, answer.json().code]);
    expect(await codes()).toEqual([
      [503, 'unavailable.runner_for_repository'],
      [503, 'unavailable.runner_for_inventory'],
      [503, 'unavailable.runner_for_key'],
    ]);
    const { id } = await connect(server, 'edge');
    const none = Array.from({ length: 3 }, () => [503, 'unavailable.runner_for_project']);
    for (const change of [{ paused: true }, { paused: false, projects: [] }]) {
      await admin.put(`/runners/${id}`, change);
      expect(await codes()).toEqual(none);
    }
    await admin.put(`/runners/${id}`, { projects: null });
    await admin.put(sample.base, { runner_tags: ['dmz'] });
    expect(await codes()).toEqual(none);
    expect(await leases()).toEqual([]);
  });

  it('goes to a runner that could also get tasks', async () => {
    const { server, admin, branches, leases } = await setUp(await makeLocation());
    const old = await connect(server, 'old', LINK_PROTOCOL + 1);
    await old.runner.receives('drain');
    expect((await admin.get(branches)).statusCode).toBe(503);
    expect(await leases()).toEqual([]);
    const { runner, id } = await connect(server, 'new');
    const asking = [admin.get(branches), admin.get(branches)];
    for (let n = 0; n < asking.length; n++) {
      const { query_id } = await runner.receives('query');
      runner.send({ type: 'answer', query_id, answer: FOUND });
    }
    expect((await Promise.all(asking)).map((answer) => answer.statusCode)).toEqual([200, 200]);
    expect(await leases()).toMatchObject([{ runner_id: id }, { runner_id: id }]);
    expect(old.runner.received).toEqual([]);
  });

  it('ends at its deadline if its server died, and its lease is kept for a week', async () => {
    const location = await makeLocation();
    const { server, clock, admin, branches, leases } = await setUp(location);
    const { runner } = await connect(server, 'one');
    const asking = admin.get(branches);
    const { query_id } = await runner.receives('query');
    const { database } = server.storage;
    const at = (ms: number) => new Date(Date.parse(START) + ms);
    await sweepQueries(database, at(LEASE_MS.branches + LEFT_OVER_MS));
    expect(await leases()).toMatchObject([{ ended: null }]);
    await sweepQueries(database, at(LEASE_MS.branches + LEFT_OVER_MS + 1));
    expect(await leases()).toMatchObject([{ outcome: 'left_over' }]);
    runner.send({ type: 'answer', query_id, answer: FOUND });
    expect((await asking).statusCode).toBe(503);
    await sweepQueries(database, at(KEPT_MS));
    expect(await leases()).toHaveLength(1);
    await sweepQueries(database, at(KEPT_MS + 1));
    expect(await leases()).toEqual([]);
    // A server that stops in order leaves no lease open.
    const last = admin.get(branches);
    await runner.receives('query');
    await server.stop();
    await last.catch(() => undefined);
    const again = await startTestServer(location, {}, clock);
    const left = again.storage.database.read.selectFrom('runner_query').select('outcome').execute();
    expect(await left).toEqual([{ outcome: 'runner_left' }]);
  });
});
