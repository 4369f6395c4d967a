import type { QueryAnswer } from '@signalbox/contract/link';
import { expect, it } from 'vitest';
import { describeRemoteDatabase, type MakeLocation } from '../../testing/database/databases.ts';
import { connectRunner } from '../../testing/runners/scripted-runner.ts';
import { TestClock } from '../../testing/test-clock.ts';
import { twoServers } from '../../testing/two-servers.ts';

const SECRET = 'password-of-the-repository';
const FOUND: QueryAnswer = { ask: 'branches', branches: ['main', 'next'] };

const setUp = async (makeLocation: MakeLocation) => {
  const clock = new TestClock(new Date().toISOString());
  const servers = await twoServers(makeLocation, { clock });
  const { admin, sample } = servers;
  const key = { name: 'Git', type: 'login_password', login_password: { login: 'git', password: SECRET } };
  const { id: ssh_key_id } = (await admin.post(`${sample.base}/keys`, key)).json<{ id: number }>();
  const repository = { name: 'Locked', git_url: 'https://git.example/x.git', git_branch: 'main', ssh_key_id };
  const { id } = (await admin.post(`${sample.base}/repositories`, repository)).json<{ id: number }>();
  const { database } = servers.second.storage;
  const stored = () => database.read.selectFrom('relayed_query').selectAll().execute();
  const outcomes = async () =>
    (await database.read.selectFrom('runner_query').select('outcome').orderBy('id').execute()).map(
      ({ outcome }) => outcome,
    );
  const askBranches = () => admin.get(`${sample.base}/repositories/${id}/branches`);
  return { ...servers, clock, database, stored, outcomes, askBranches };
};

describeRemoteDatabase('[S10] a query to a runner of another server', (makeLocation) => {
  it('is sent once under its lease, is stored only encrypted, and is deleted with its answer', async () => {
    const { runner, stored, outcomes, askBranches } = await setUp(makeLocation);
    await runner.receives('welcome');
    const asking = askBranches();
    const { query_id, query } = await runner.receives('query');
    expect(query).toMatchObject({ ask: 'branches', repository: { access: { password: SECRET } } });
    const rows = await stored();
    expect(rows).toMatchObject([{ query_id, query: null, answer: null }]);
    runner.send({ type: 'answer', query_id, answer: FOUND });
    expect((await asking).json()).toEqual(FOUND.ask === 'branches' ? FOUND.branches : []);
    expect(await stored()).toEqual([]);
    expect(await outcomes()).toEqual(['answered']);
    expect(runner.received.filter(({ type }) => type === 'query')).toEqual([]);
  });

  it('is refused with a reason of its own when the runner takes no queries of the project', async () => {
    const { admin, runner, outcomes, askBranches } = await setUp(makeLocation);
    await runner.receives('welcome');
    const [row] = (await admin.get('/runners')).json<{ id: number }[]>();
    await admin.put(`/runners/${row?.id}`, { paused: true });
    const answer = await askBranches();
    expect([answer.statusCode, answer.json().code]).toEqual([503, 'unavailable.runner_for_project']);
    expect(await outcomes()).toEqual([]);
  });

  it('is asked again elsewhere when the server that sent it was killed', async () => {
    const { clock, second, folder, runner, outcomes, askBranches } = await setUp(makeLocation);
    await runner.receives('welcome');
    const asking = askBranches();
    await runner.receives('query');
    // As if the server had been killed: its runner connects to the other one, and no server stores its answer.
    const other = await connectRunner(second, folder);
    other.hello([]);
    await other.receives('welcome');
    const again = other.receives('query');
    const passing = setInterval(() => clock.pass(250), 5);
    const { query_id } = await again.finally(() => clearInterval(passing));
    other.send({ type: 'answer', query_id, answer: FOUND });
    expect((await asking).json()).toEqual(['main', 'next']);
    expect(await outcomes()).toEqual(['runner_left', 'answered']);
  });

  it('is deleted soon when the server that asked was killed', async () => {
    const { runner, database, stored, askBranches } = await setUp(makeLocation);
    await runner.receives('welcome');
    const asking = askBranches();
    const { query_id } = await runner.receives('query');
    runner.send({ type: 'answer', query_id, answer: FOUND });
    await asking;
    const expires = new Date(Date.now() - 11_000).toISOString();
    const row = { query_id, runner_id: 1, query: 'v1:left over', answer: null, expires };
    await database.autocommit.insertInto('relayed_query').values(row).execute();
    await expect.poll(stored, { timeout: 5_000 }).toEqual([]);
  });

  it('fails when no server sends it in time, and leaves no secret behind', async () => {
    const { clock, first, runner, database, stored, outcomes, askBranches } = await setUp(makeLocation);
    await runner.receives('welcome');
    await first.stop();
    // As if the server had been killed: its runner still counts as linked.
    await database.autocommit.updateTable('runner').set({ connection: 'of the killed server' }).execute();
    const asking = askBranches();
    await expect.poll(async () => (await stored()).length).toBe(1);
    const [row] = await stored();
    expect(row?.query).toMatch(/^v1:/);
    expect(row?.query).not.toContain(SECRET);
    while ((await stored()).length > 0) clock.pass(250);
    expect((await asking).statusCode).toBe(503);
    expect(await outcomes()).toEqual(['not_sent']);
  });
});
