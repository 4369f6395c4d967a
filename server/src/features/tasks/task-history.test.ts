import type { EndReason, Task } from '@signalbox/contract';
import { expect, it } from 'vitest';
import { EVERY_ENVIRONMENT } from '../../execution-environments.ts';
import { describeEachDatabase } from '../../testing/database/databases.ts';
import { sampleProject } from '../../testing/sample-project.ts';
import { describeOneServer, startTestServer, type TestServer } from '../../testing/test-server.ts';
import { endTask } from './task-end.ts';
import { applyEvent } from './task-transition.ts';

const setUp = async (server: TestServer) => {
  const admin = await server.signIn();
  const sample = await sampleProject(admin);
  const [one, two] = [await sample.template({ name: 'One' }), await sample.template({ name: 'Two' })];
  const { autocommit } = server.storage.database;
  const ids: number[] = [];
  for (let n = 0; n < 6; n++) {
    const template_id = n % 2 === 0 ? one : two;
    const { id } = (await admin.post(`${sample.base}/tasks`, { template_id, message: `task ${n}` })).json<Task>();
    ids.push(id);
    // One day apart. Only a write to the database can change the creation time.
    const created = `2026-03-0${n + 1}T12:00:00.000Z`;
    await autocommit
      .updateTable('task')
      .set({ created } as never)
      .where('id', '=', id)
      .execute();
  }
  const list = async (query = '', path = 'tasks') =>
    (await admin.get(`${sample.base}/${path}${query}`)).json<Task[]>().map(({ id }) => ids.indexOf(id));
  return { server, admin, sample, ids, one, two, list };
};

describeOneServer('the task list', (shared) => {
  it('is sorted newest first, in pages, with filters for status, template, user and time', async () => {
    const { admin, sample, ids, one, list } = await setUp(shared());
    expect(await list()).toEqual([5, 4, 3, 2, 1, 0]);
    expect(await list('?limit=2')).toEqual([5, 4]);
    expect(await list('?count=3')).toEqual([5, 4, 3]);
    for (const path of ['tasks', 'tasks/last', `templates/${one}/tasks`, `templates/${one}/tasks/last`, 'events'])
      for (const [count, hasNext] of [
        [2, 'true'],
        [200, 'false'],
      ])
        expect((await admin.get(`${sample.base}/${path}?count=${count}`)).headers['x-has-next'], path).toBe(hasNext);
    expect((await admin.get(`${sample.base}/templates/${one}/tasks?count=3`)).headers['x-has-next']).toBe('false');
    expect(await list(`?limit=2&before=${ids[4]}`)).toEqual([3, 2]);
    expect(await list(`?template_id=${one}`)).toEqual([4, 2, 0]);
    await admin.post(`${sample.base}/tasks/${ids[3]}/stop`, {});
    expect(await list('?status=stopped')).toEqual([3]);
    expect(await list('?user_id=1')).toHaveLength(6);
    expect(await list('?user_id=999')).toEqual([]);
    expect(await list('?from=2026-03-03T12:00:00Z&to=2026-03-05T12:00:00Z')).toEqual([3, 2]);
    expect(await list('?from=2026-03-05T13:00:00%2B01:00')).toEqual([5, 4]);
    expect(await list(`?to=2026-03-03T00:00:00Z&template_id=${one}&limit=1`)).toEqual([0]);
    for (const bad of ['from=yesterday', 'to=2026-03-01', 'limit=0', 'limit=1001', 'status=done', 'before=x']) {
      expect((await admin.get(`${sample.base}/tasks?${bad}`)).statusCode, bad).toBe(400);
    }
  });

  it('sorts the newest tasks by another column', async () => {
    const { list, one } = await setUp(shared());
    expect(await list('?order=asc')).toEqual([0, 1, 2, 3, 4, 5]);
    expect(await list('?limit=3&sort=id&order=asc')).toEqual([3, 4, 5]);
    expect(await list('?sort=tpl_alias&order=asc')).toEqual([0, 2, 4, 1, 3, 5]);
    expect(await list('/last?sort=tpl_alias&order=desc', 'tasks')).toEqual([5, 3, 1, 4, 2, 0]);
    expect(await list('/last?limit=2&order=asc', `templates/${one}/tasks`)).toEqual([2, 4]);
  });
});

describeOneServer('an id', (shared) => {
  it('is never reused after its task, repository or project was deleted', async () => {
    const { server, admin, sample, ids, two } = await setUp(shared());
    const start = async () =>
      (await admin.post(`${sample.base}/tasks`, { template_id: two, message: 'next' })).json<Task>().id;
    for (const id of ids) await admin.post(`${sample.base}/tasks/${id}/stop`, {});
    const newest = ids[5] ?? 0;
    expect((await admin.del(`${sample.base}/tasks/${newest}`)).statusCode).toBe(204);
    const next = await start();
    expect(next).toBeGreaterThan(newest);
    await admin.post(`${sample.base}/tasks/${next}/stop`, {});
    // Deleting the template deletes several tasks, the newest included.
    expect((await admin.del(`${sample.base}/templates/${two}`)).statusCode).toBe(204);

    const body = {
      name: 'More',
      git_url: 'https://git.example/more.git',
      git_branch: 'main',
      ssh_key_id: sample.keyId,
    };
    const addRepository = async (base: string) =>
      (await admin.post(`${base}/repositories`, body)).json<{ id: number }>().id;
    const repository = await addRepository(sample.base);
    expect((await admin.del(`${sample.base}/repositories/${repository}`)).statusCode).toBe(204);
    expect(await addRepository(sample.base)).toBeGreaterThan(repository);

    expect((await admin.del(sample.base)).statusCode).toBe(204);
    const later = await sampleProject(admin, 'Later');
    expect(later.projectId).toBeGreaterThan(sample.projectId);
    expect(later.repositoryId).toBeGreaterThan(repository + 1);
    const task = await admin.post(`${later.base}/tasks`, { template_id: await later.template() });
    expect(task.json<Task>().id).toBeGreaterThan(next);
    const { lines } = server.storage.logs;
    expect(await lines(task.json<Task>().id, 1, 1)).toEqual([]);
  });
});

describeOneServer('deleting a task', (shared) => {
  it('works for ended tasks only', async () => {
    const { admin, sample, ids, two, list } = await setUp(shared());
    const path = `${sample.base}/tasks/${ids[5]}`;
    expect((await admin.del(path)).statusCode).toBe(409);
    await admin.post(`${path}/stop`, {});
    const etag = String((await admin.get(path)).headers.etag);
    expect((await admin.del(path, { 'if-match': '"old"' })).statusCode).toBe(409);
    expect((await admin.del(path, { 'if-match': etag })).statusCode).toBe(204);
    expect((await admin.get(path)).statusCode).toBe(404);
    expect(await list()).toEqual([4, 3, 2, 1, 0]);
    const template = (await admin.get(`${sample.base}/templates/${two}`)).json<{ last_task: Task }>();
    expect(template.last_task.id).toBe(ids[3]);
    const [newest] = (await admin.get(`${sample.base}/events/last`)).json<{ description: string }[]>();
    expect(newest?.description).toBe(`Task #${ids[5]} of Two deleted`);
  });

  it('fails for all tasks of a template or project while one of them has not ended', async () => {
    const { admin, sample, ids, one } = await setUp(shared());
    const template = `${sample.base}/templates/${one}`;
    expect((await admin.del(template)).statusCode).toBe(409);
    expect((await admin.del(sample.base)).statusCode).toBe(409);
    for (const id of ids) await admin.post(`${sample.base}/tasks/${id}/stop`, {});
    expect((await admin.del(template)).statusCode).toBe(204);
    expect((await admin.get(`${sample.base}/tasks/${ids[0]}`)).statusCode).toBe(404);
    expect((await admin.get(`${sample.base}/tasks/${ids[1]}`)).statusCode).toBe(200);
    expect((await admin.del(sample.base)).statusCode).toBe(204);
    expect((await admin.get(sample.base)).statusCode).toBe(404);
  });

  it('[R1] never deletes a task that is started at the same moment', async () => {
    const { admin, sample, ids, one } = await setUp(shared());
    for (const id of ids) await admin.post(`${sample.base}/tasks/${id}/stop`, {});
    const [started, deleted] = await Promise.all([
      admin.post(`${sample.base}/tasks`, { template_id: one }),
      admin.del(`${sample.base}/templates/${one}`),
    ]);
    if (started.statusCode === 201) {
      expect(deleted.statusCode).toBe(409);
      expect((await admin.get(`${sample.base}/tasks/${started.json<Task>().id}`)).statusCode).toBe(200);
    } else {
      expect([started.statusCode, deleted.statusCode]).toEqual([400, 204]);
    }
  });
});

describeEachDatabase('the end reason of a task', (makeLocation) => {
  it('is returned with the task and in lists, and filters the history', async () => {
    const { server, admin, sample, ids, one, list } = await setUp(await startTestServer(await makeLocation()));
    const { database } = server.storage;
    for (const at of [1, 2]) await admin.post(`${sample.base}/tasks/${ids[at]}/stop`, {});
    const fail = async (at: number, reason: EndReason) => {
      const id = ids[at] ?? 0;
      await applyEvent(database.autocommit, id, 'accepted', new Date());
      await database.write((tx) => endTask(tx, EVERY_ENVIRONMENT, id, 'failed', new Date(), undefined, reason));
    };
    await fail(3, { code: 'disk.full', params: {} });
    await fail(4, { code: 'playbook.missing', params: { path: 'gone.yml' } });
    // A task that is being stopped has no end reason yet.
    await applyEvent(database.autocommit, ids[5] ?? 0, 'accepted', new Date());
    await admin.post(`${sample.base}/tasks/${ids[5]}/stop`, {});
    const stopped = { code: 'stop.user', params: { user: 'admin' }, text: 'Stopped by admin' };
    const missing = {
      code: 'playbook.missing',
      params: { path: 'gone.yml' },
      text: 'Playbook gone.yml is not in the repository',
    };
    expect((await admin.get(`${sample.base}/tasks/${ids[4]}`)).json<Task>().end_reason).toEqual(missing);
    const listed = (await admin.get(`${sample.base}/tasks`)).json<Task[]>().map(({ end_reason }) => end_reason);
    expect(listed).toEqual([
      null,
      missing,
      { code: 'disk.full', params: {}, text: "The runner's disk is full" },
      stopped,
      stopped,
      null,
    ]);
    expect(await list('?end_reason=stop.user')).toEqual([2, 1]);
    expect(await list('?end_reason=stop.user&limit=1')).toEqual([2]);
    expect(await list(`?end_reason=stop.user&before=${ids[2]}`)).toEqual([1]);
    expect(await list(`?end_reason=stop.user&template_id=${one}`)).toEqual([2]);
    expect(await list('?end_reason=stop.user&user_id=1&status=stopped')).toEqual([2, 1]);
    expect(await list('?end_reason=stop.user&from=2026-03-03T00:00:00Z')).toEqual([2]);
    expect(await list('?end_reason=stop.user&status=error')).toEqual([]);
    expect(await list('?end_reason=playbook.missing')).toEqual([4]);
    expect(await list('?end_reason=git.empty')).toEqual([]);
    for (const bad of ['of.tomorrow', '', 'stop'])
      expect((await admin.get(`${sample.base}/tasks?end_reason=${bad}`)).statusCode, bad).toBe(400);
  });
});
