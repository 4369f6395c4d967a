import { LINK_PROTOCOL, type QuestionAnswer } from '@signalbox/contract/link';
import { expect, it } from 'vitest';
import { SYSTEM } from '../audit/record-event.ts';
import { describeOneDatabase, type Place } from '../testing/databases.ts';
import { sampleProject } from '../testing/sample-project.ts';
import { ScriptedRunner } from '../testing/scripted-runner.ts';
import { TestClock } from '../testing/test-clock.ts';
import { startTestServer, type TestServer } from '../testing/test-server.ts';
import { LEASE_MS } from './question-desk.ts';
import { KEPT_MS, LEFT_OVER_MS, sweepQuestions } from './question-lease.ts';
import { LINK_PATH } from './runner-hub.ts';

const START = '2026-11-21T10:00:00.000Z';
const FOUND: QuestionAnswer = { ask: 'branches', branches: ['main'] };
const SECRET = 'password-of-the-repository';

const setUp = async (place: Place) => {
  const clock = new TestClock(START);
  const server = await startTestServer(place, {}, clock);
  const admin = await server.signIn();
  const sample = await sampleProject(admin);
  const key = { name: 'Git', type: 'login_password', login_password: { login: 'git', password: SECRET } };
  const { id: ssh_key_id } = (await admin.post(`${sample.base}/keys`, key)).json<{ id: number }>();
  const repository = { name: 'Locked', git_url: 'https://git.example/x.git', git_branch: 'main', ssh_key_id };
  const { id: repositoryId } = (await admin.post(`${sample.base}/repositories`, repository)).json<{ id: number }>();
  const branches = `${sample.base}/repositories/${repositoryId}/branches`;
  const leases = () => server.storage.database.read.selectFrom('question').selectAll().orderBy('id').execute();
  return { server, clock, admin, sample, repositoryId, ssh_key_id, branches, leases };
};

const connect = async (server: TestServer, name: string, protocol = LINK_PROTOCOL) => {
  const admin = await server.signIn();
  const { id, token } = (await admin.post('/runners', { name })).json<{ id: number; token: string }>();
  const runner = new ScriptedRunner(`${server.baseUrl.replace(/^http/, 'ws')}${LINK_PATH}`, token);
  await runner.open();
  runner.hello([], { protocol });
  await runner.hears('welcome');
  return { id, runner };
};

const events = async (admin: Awaited<ReturnType<typeof setUp>>['admin'], base: string) =>
  (await admin.get(`${base}/events`)).json<{ description: string; username: string }[]>();

describeOneDatabase('[S10] a question to a runner', (makePlace) => {
  it('is a lease that is written down before one runner hears of it, and ends with its answer', async () => {
    const { server, admin, branches, leases, repositoryId, sample } = await setUp(await makePlace());
    const [one, two] = [await connect(server, 'one'), await connect(server, 'two')];
    const asking = admin.get(branches);
    const asked = await Promise.race([one, two].map(({ runner }) => runner.hears('question').then(() => runner)));
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
    expect(other.runner.heard).toEqual([]);
    // Somebody else's word counts for nothing, however well it is known what was asked.
    const question_id = lease?.id ?? 0;
    other.runner.say({ type: 'answer', question_id, answer: { ask: 'branches', branches: ['of the other'] } });
    other.runner.say({ type: 'heartbeat', runs: [] });
    holder.runner.say({ type: 'answer', question_id, answer: FOUND });
    expect((await asking).json()).toEqual(['main']);
    expect(await leases()).toMatchObject([{ ended: START, outcome: 'answered' }]);
    expect(JSON.stringify(await leases())).not.toContain(SECRET);
    // A second answer finds nobody, and changes nothing.
    holder.runner.say({ type: 'answer', question_id, answer: { ask: 'refused', error: 'No.' } });
    expect(await leases()).toHaveLength(1);
  });

  it('carries the key it needs to the runner of its lease, and is attributed where a person meant it', async () => {
    const { server, admin, sample, ssh_key_id, leases } = await setUp(await makePlace());
    const { runner } = await connect(server, 'one');
    const git_url = 'https://hidden-token@git.example/y.git';
    const testing = admin.post(`${sample.base}/repositories/test`, { git_url, ssh_key_id });
    const { question, question_id, lease_ms } = await runner.hears('question');
    expect(lease_ms).toBe(LEASE_MS.access);
    expect(question).toEqual({
      ask: 'access',
      access: { type: 'login_password', login: 'git', password: SECRET },
      repository: { url: git_url, branch: '', project_id: sample.projectId },
    });
    runner.say({ type: 'answer', question_id, answer: { ask: 'refused', error: 'It cannot be reached.' } });
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

  it('is over when its time is: the runner is told, and what it says later is not heard', async () => {
    const { server, clock, admin, branches, leases } = await setUp(await makePlace());
    const { runner } = await connect(server, 'one');
    const asking = admin.get(branches);
    const { question_id } = await runner.hears('question');
    clock.pass(LEASE_MS.branches);
    expect(await runner.hears('question_over')).toEqual({ type: 'question_over', question_id });
    expect((await asking).statusCode).toBe(503);
    expect(await leases()).toMatchObject([{ outcome: 'timed_out' }]);
    runner.say({ type: 'answer', question_id, answer: FOUND });
    const again = admin.get(branches);
    const next = await runner.hears('question');
    expect(next.question_id).not.toBe(question_id);
    runner.say({ type: 'answer', question_id, answer: { ask: 'branches', branches: ['late'] } });
    runner.say({ type: 'answer', question_id: next.question_id, answer: FOUND });
    expect((await again).json()).toEqual(['main']);
    expect(await leases()).toMatchObject([{ outcome: 'timed_out' }, { outcome: 'answered' }]);
  });

  it('ends with its runner: when the link is lost, and when the runner is removed', async () => {
    const { server, admin, branches, leases } = await setUp(await makePlace());
    const first = await connect(server, 'one');
    const asking = admin.get(branches);
    await first.runner.hears('question');
    first.runner.close();
    expect((await asking).statusCode).toBe(503);
    expect(await leases()).toMatchObject([{ outcome: 'runner_left' }]);
    const second = await connect(server, 'two');
    const again = admin.get(branches);
    await second.runner.hears('question');
    const closed = second.runner.closed;
    expect((await admin.del(`/runners/${second.id}`)).statusCode).toBe(204);
    await closed;
    expect((await again).statusCode).toBe(503);
    expect((await leases())[1]).toMatchObject({ runner_id: second.id, runner_name: 'two', outcome: 'revoked' });
  });

  it('is not sent to a runner that is removed while its secrets are opened, nor when they cannot be', async () => {
    const { server, sample, leases } = await setUp(await makePlace());
    const { id, runner } = await connect(server, 'one');
    const inquiry = {
      ask: 'branches',
      projectId: sample.projectId,
      actor: SYSTEM,
      about: { type: 'repository', id: sample.repositoryId },
    } as const;
    const source = { id: 1, url: 'https://git.example/x.git', branch: '', access: { type: 'none' } } as const;
    const { desk } = server.dispatching;
    const broken = desk.ask(inquiry, () => Promise.reject(new Error('cannot be opened')));
    await expect(broken).rejects.toThrow('cannot be opened');
    const { autocommit } = server.storage.database;
    const answer = await desk.ask(inquiry, async () => {
      // As another server would do it, which cannot close this link.
      await autocommit.updateTable('runner').set({ token_hash: 'revoked' }).where('id', '=', id).execute();
      return { ask: 'branches', repository: source };
    });
    expect(answer).toBeUndefined();
    expect(runner.heard).toEqual([]);
    const unasked = await desk.ask(inquiry, () => Promise.reject(new Error('nothing is opened for it any more')));
    expect(unasked).toBeUndefined();
    expect(await leases()).toMatchObject([{ outcome: 'not_sent' }, { outcome: 'not_sent' }]);
  });

  it('is given to a runner that would be given tasks too', async () => {
    const { server, admin, branches, leases } = await setUp(await makePlace());
    const old = await connect(server, 'old', LINK_PROTOCOL + 1);
    await old.runner.hears('drain');
    expect((await admin.get(branches)).statusCode).toBe(503);
    expect(await leases()).toEqual([]);
    const { runner, id } = await connect(server, 'new');
    const asking = [admin.get(branches), admin.get(branches)];
    for (let n = 0; n < asking.length; n++) {
      const { question_id } = await runner.hears('question');
      runner.say({ type: 'answer', question_id, answer: FOUND });
    }
    expect((await Promise.all(asking)).map((answer) => answer.statusCode)).toEqual([200, 200]);
    expect(await leases()).toMatchObject([{ runner_id: id }, { runner_id: id }]);
    expect(old.runner.heard).toEqual([]);
  });

  it('of a server that died ends by its time, and is told of for a week', async () => {
    const place = await makePlace();
    const { server, clock, admin, branches, leases } = await setUp(place);
    const { runner } = await connect(server, 'one');
    const asking = admin.get(branches);
    const { question_id } = await runner.hears('question');
    const { database } = server.storage;
    const at = (ms: number) => new Date(Date.parse(START) + ms);
    await sweepQuestions(database, at(LEASE_MS.branches + LEFT_OVER_MS));
    expect(await leases()).toMatchObject([{ ended: null }]);
    await sweepQuestions(database, at(LEASE_MS.branches + LEFT_OVER_MS + 1));
    expect(await leases()).toMatchObject([{ outcome: 'left_over' }]);
    runner.say({ type: 'answer', question_id, answer: FOUND });
    expect((await asking).statusCode).toBe(503);
    await sweepQuestions(database, at(KEPT_MS));
    expect(await leases()).toHaveLength(1);
    await sweepQuestions(database, at(KEPT_MS + 1));
    expect(await leases()).toEqual([]);
    // A server that ends in order leaves none open.
    const last = admin.get(branches);
    await runner.hears('question');
    await server.stop();
    await last.catch(() => undefined);
    const again = await startTestServer(place, {}, clock);
    const left = again.storage.database.read.selectFrom('question').select('outcome').execute();
    expect(await left).toEqual([{ outcome: 'runner_left' }]);
  });
});
