import type { CommitChanges } from '@signalbox/contract';
import type { QueryAnswer } from '@signalbox/contract/link';
import { expect, it } from 'vitest';
import { describeOneDatabase, type MakeLocation } from '../../../testing/database/databases.ts';
import { connectRunner } from '../../../testing/runners/scripted-runner.ts';
import { sampleProject } from '../../../testing/sample-project.ts';
import { startTestServer } from '../../../testing/test-server.ts';

const CHANGES: CommitChanges = {
  commits: [{ hash: 'b'.repeat(40), author: 'Ann', subject: 'Fix', time: '2026-11-01T00:00:00.000Z', of: 'later' }],
  commit_count: 1,
  files: [{ path: 'site.yml', renamed_from: 'old.yml', change: 'renamed', added: 1, removed: 2 }],
  file_count: 1,
  shallow: false,
};

const setUp = async (makeLocation: MakeLocation) => {
  const location = await makeLocation();
  const server = await startTestServer(location);
  const admin = await server.signIn();
  const sample = await sampleProject(admin);
  const template_id = await sample.template();
  const start = async (commit_hash: string | null, status: 'success' | 'error', template = template_id) => {
    const { id } = (await admin.post(`${sample.base}/tasks`, { template_id: template })).json<{ id: number }>();
    const tasks = server.storage.database.autocommit.updateTable('task');
    await tasks.set({ commit_hash, status }).where('id', '=', id).execute();
    return id;
  };
  /** Connects the runner, after the tasks were created: it takes none of them. */
  const connect = async () => {
    const runner = await connectRunner(server, location.folder);
    runner.hello();
    await runner.receives('welcome');
    const answered = async (answer: QueryAnswer) => {
      const { query, query_id } = await runner.receives('query');
      runner.send({ type: 'answer', query_id, answer });
      return query;
    };
    return { runner, answered };
  };
  const read = (id: number, path: string) => admin.get(`${sample.base}/tasks/${id}/comparison/${path}`);
  return { server, admin, sample, connect, start, read };
};

describeOneDatabase('comparing the commits of two tasks', (makeLocation) => {
  it('answers what a runner finds between them, and asks once for a pair', async () => {
    const { sample, connect, start, read } = await setUp(makeLocation);
    const [good, bad] = [await start('a'.repeat(40), 'success'), await start('b'.repeat(40), 'error')];
    const { runner, answered } = await connect();
    const pair = { earlier: 'a'.repeat(40), later: 'b'.repeat(40) };
    const first = read(bad, 'commits');
    const repository = { id: sample.repositoryId };
    expect(await answered({ ask: 'commit_changes', ...CHANGES })).toMatchObject({ ...pair, repository });
    expect((await first).json()).toEqual({ other_id: good, ...pair, ...CHANGES });
    // The earlier task stays the earlier one, whichever one is asked for.
    expect((await read(good, `commits?with=${bad}`)).json()).toEqual({ other_id: bad, ...pair, ...CHANGES });
    for (const [query, paths] of [
      ['', []],
      ['?path=site.yml', ['site.yml']],
      ['?path=site.yml&renamed_from=old.yml', ['site.yml', 'old.yml']],
    ] as const) {
      const diff = read(bad, `diff${query}`);
      const answer = { diff: query, complete: true };
      expect(await answered({ ask: 'repository_diff', ...answer })).toMatchObject({ ask: 'repository_diff', paths });
      expect((await diff).json()).toEqual(answer);
    }
    expect(runner.received).toEqual([]);
  });

  it('asks no runner about tasks with the same commit, without one, or without another task', async () => {
    const { start, read, connect } = await setUp(makeLocation);
    const alone = await start('a'.repeat(40), 'success');
    expect((await read(alone, 'commits')).json()).toMatchObject({ code: 'conflict.no_other_task' });
    const same = await start('a'.repeat(40), 'error');
    expect((await read(same, 'commits')).json()).toMatchObject({ commit_count: 0, files: [], earlier: 'a'.repeat(40) });
    expect((await read(same, 'diff')).json()).toEqual({ diff: '', complete: true });
    const none = await start(null, 'error');
    const { runner } = await connect();
    for (const path of ['commits', 'diff']) {
      const refused = await read(none, path);
      expect([refused.statusCode, refused.json().code]).toEqual([409, 'conflict.task_without_commit']);
    }
    expect(runner.received).toEqual([]);
  });

  it('answers why a runner finds nothing, and asks again', async () => {
    const { start, connect, read } = await setUp(makeLocation);
    await start('a'.repeat(40), 'success');
    const bad = await start('b'.repeat(40), 'error');
    const { answered } = await connect();
    const reason = { code: 'git.commit_missing', params: { repository: 'x', commit: 'a'.repeat(40) } } as const;
    for (let time = 0; time < 2; time += 1) {
      const refused = read(bad, 'commits');
      await answered({ ask: 'refused', error: 'The repository has no commit.', reason });
      expect([(await refused).statusCode, (await refused).json().params]).toEqual([
        409,
        { reason: { ...reason, params: { repository: 'x', commit: 'aaaaaaa' } } },
      ]);
    }
  });

  it('needs the right to read repositories, and two tasks of one template that the caller sees', async () => {
    const { server, admin, sample, start, read } = await setUp(makeLocation);
    await start('a'.repeat(40), 'success');
    const bad = await start('b'.repeat(40), 'error');
    const foreign = await start('c'.repeat(40), 'success', await sample.template());
    for (const path of ['commits', 'diff']) expect((await read(bad, `${path}?with=${foreign}`)).statusCode).toBe(404);
    const user = { name: 'Eve', username: 'eve', email: 'eve@example.com', password: 'a password' };
    const { id: user_id } = (await admin.post('/users', user)).json<{ id: number }>();
    await admin.post(`${sample.base}/users`, { user_id, role: 'task_runner' });
    const eve = await server.signIn('eve', 'a password');
    for (const path of ['commits', 'diff'])
      expect((await eve.get(`${sample.base}/tasks/${bad}/comparison/${path}`)).statusCode).toBe(403);
  });
});
