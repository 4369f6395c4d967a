import type { Failure, FailureClusters, FailureHosts } from '@signalbox/contract';
import { expect, it } from 'vitest';
import { leaveProject } from '../../access/leave-project.ts';
import { describeEachDatabase, describeRemoteDatabase } from '../../testing/database/databases.ts';
import { lockWaits } from '../../testing/database/lock-waits.ts';
import { endRun, failedOn, failedRunsIn, GOOD, RECORDS, START } from '../../testing/failed-runs.ts';
import { addMember } from '../../testing/sample-project.ts';

describeRemoteDatabase('an assignment of a failure', (makeLocation) => {
  it('waits for the end of the membership of its user, and is refused then', async () => {
    const { server, admin, sample, run, list } = await failedRunsIn(makeLocation);
    const ana = await addMember(server, 'ana', { projectId: sample.projectId, role: 'task_runner' });
    const { id: user_id } = (await ana.get('/user')).json<{ id: number }>();
    await run(await sample.template());
    const [failure] = await list();
    const url = `${sample.base}/failures/${failure?.id}/assignment`;
    const { database } = server.storage;
    const { answers } = await database.write(async (tx) => {
      await leaveProject(tx, sample.projectId, user_id);
      const sent = Promise.all([admin.put(url, { user_id }), ana.put(url, {})]);
      await lockWaits(database, 2);
      return { answers: sent };
    });
    const [given, own] = await answers;
    expect(given.json()).toMatchObject({ fields: { user_id: 'must be a member of the project' } });
    expect(own.statusCode).toBe(404);
    expect((await list())[0]?.remark.assignment).toBeNull();
    expect((await admin.put(url, {})).statusCode).toBe(204);
  });
});

describeEachDatabase('the failures of a task', (makeLocation) => {
  const setUp = () => failedRunsIn(makeLocation);

  it('are clusters of hosts, and stay when the log is removed', async () => {
    const { server, admin, sample, run } = await setUp();
    const id = await run(await sample.template());
    await server.storage.logs.remove([id]);
    await server.storage.database.autocommit.updateTable('task').set({ log_removed: 1 }).where('id', '=', id).execute();
    const path = `${sample.base}/tasks/${id}/failures`;
    const { total, hosts, clusters } = (await admin.get(path)).json<FailureClusters>();
    expect({ total, hosts }).toEqual({ total: 2, hosts: 3 });
    expect(clusters[0]).toMatchObject({ cause: 'apt_locked', hosts: 2, step: 'Upgrade', path: 'site.yml:3' });
    expect(clusters[0]?.messages[0]?.segments.filter(({ differs }) => differs).map(({ text }) => text)).toEqual([
      '22',
      'apt',
    ]);
    expect(clusters[0]?.groups.map(({ first_host }) => first_host)).toEqual(['web-1', 'web-2']);
    expect(clusters[0]?.seen).toMatchObject({ times: 1, last_task_id: id, fixed_by: null });
    const page = (await admin.get(`${path}/${clusters[0]?.fingerprint}/hosts?name=2`)).json<FailureHosts>();
    expect(page).toEqual({ first: 1, total: 1, hosts: [{ host: 'web-2', line: 4 }] });
  });

  it('are an empty list for a task that waits and for a successful one', async () => {
    const { server, admin, sample } = await setUp();
    const template_id = await sample.template();
    const { id } = (await admin.post(`${sample.base}/tasks`, { template_id })).json<{ id: number }>();
    const listed = () => admin.get(`${sample.base}/tasks/${id}/failures`);
    const none = { first: 1, total: 0, hosts: 0, clusters: [] };
    expect((await listed()).json<FailureClusters>()).toEqual(none);
    await endRun(server, id, RECORDS.slice(0, 2), 'success');
    expect((await listed()).json<FailureClusters>()).toEqual(none);
  });

  it('are counted over the tasks of the project, and have a trend, a note and a time until which they are known', async () => {
    const { admin, sample, run } = await setUp();
    const template = await sample.template();
    const trends = async () =>
      (await admin.get(`${sample.base}/failures`)).json<{ failures: Failure[] }>().failures.map(({ trend }) => trend);
    await run(template);
    expect(await trends()).toEqual(['new', 'new']);
    await run(template);
    expect(await trends()).toEqual(['ongoing', 'ongoing']);
    await run(template, GOOD, 'success');
    expect(await trends()).toEqual(['gone', 'gone']);
    const last = await run(template);
    expect(await trends()).toEqual(['returned', 'returned']);
    const list = (await admin.get(`${sample.base}/failures?cause=apt_locked`)).json<{ failures: Failure[] }>().failures;
    expect(list).toMatchObject([{ hosts: 2, seen: { times: 3, last_task_id: last } }]);
    const url = `${sample.base}/failures/${list[0]?.id}`;
    await admin.put(url, { note: 'Wait until **04:30**', known_until: '2100-01-01T00:00:00Z' });
    expect((await admin.get(url)).json<Failure>().remark).toMatchObject({ note: 'Wait until **04:30**', known: true });
    expect((await admin.get(`${sample.base}/failures?known=false`)).json<{ total: number }>().total).toBe(1);
  });

  it('count only in runs that succeeded or failed on hosts', async () => {
    const { sample, run, list } = await setUp();
    const template = await sample.template();
    await run(template);
    await run(template, []);
    await run(template, RECORDS, 'stopped');
    await run(template, RECORDS, 'error', { dry_run: true });
    const counted = async () => (await list()).map(({ trend, seen }) => [trend, seen.times, seen.fixed_by]);
    expect(await counted()).toEqual([...Array(2)].map(() => ['new', 1, null]));
    await run(template);
    expect(await counted()).toEqual([...Array(2)].map(() => ['ongoing', 2, null]));
    await run(template, START, 'success');
    expect(await counted()).toEqual([...Array(2)].map(() => ['ongoing', 2, null]));
    const fixing = await run(template, GOOD, 'success');
    expect(await counted()).toEqual([...Array(2)].map(() => ['gone', 2, fixing]));
  });

  it('have the trend of the template that had them last, and the days of the template that is asked for', async () => {
    const { sample, run, list } = await setUp();
    const [first, second] = [await sample.template(), await sample.template()];
    await run(first);
    await run(first);
    await run(second);
    const [failure] = await list();
    expect(failure).toMatchObject({ trend: 'new', template_id: second, seen: { times: 3 } });
    const daysOf = async (query: string) => (await list(query))[0]?.days.reduce((sum, count) => sum + count, 0);
    const days = [await daysOf(''), await daysOf(`?template_id=${first}`), await daysOf(`?template_id=${second}`)];
    expect(days).toEqual([3, 2, 1]);
  });

  it('are taken by a user or given to a member, until they no longer occur', async () => {
    const { server, admin, sample, run, list } = await setUp();
    const template = await sample.template();
    const ana = await addMember(server, 'ana', { projectId: sample.projectId, role: 'task_runner' });
    const guest = await addMember(server, 'gus', { projectId: sample.projectId, role: 'guest' });
    await run(template);
    const [failure] = await list();
    const url = `${sample.base}/failures/${failure?.id}/assignment`;
    const assignment = async () => (await list()).find(({ id }) => id === failure?.id)?.remark.assignment;
    expect((await guest.put(url, {})).statusCode).toBe(403);
    expect((await ana.put(url, { note: 'old nodes still run 2.8' })).statusCode).toBe(204);
    const { user_id = 0 } = (await assignment()) ?? {};
    expect(await assignment()).toMatchObject({ name: 'ana', by: 'ana', note: 'old nodes still run 2.8' });
    const own = await admin.get(`${sample.base}/tasks/${failure?.seen.last_task_id}/failures`);
    expect(own.json<FailureClusters>().clusters.map(({ remark }) => remark?.assignment?.name)).toContain('ana');
    expect((await ana.del(url)).statusCode).toBe(204);
    expect((await ana.del(url)).statusCode).toBe(204);
    expect(await assignment()).toBeNull();
    expect((await admin.put(url, { user_id: 4711 })).json()).toMatchObject({ fields: { user_id: expect.anything() } });
    await admin.put(url, { user_id });
    expect(await assignment()).toMatchObject({ name: 'ana', note: '' });
    await run(template);
    expect(await assignment()).toMatchObject({ name: 'ana' });
    await run(template, GOOD, 'success');
    expect(await assignment()).toBeNull();
    expect((await ana.put(url, {})).json()).toMatchObject({ code: 'conflict.failure_gone' });
    await run(template);
    expect(await assignment()).toBeNull();
    const events = (await admin.get(`${sample.base}/events`)).json<{ kind: string }[]>();
    const kinds = events.map(({ kind }) => kind).filter((kind) => kind.startsWith('failure.'));
    expect(kinds).toEqual(['failure.assigned', 'failure.unassigned', 'failure.taken']);
  });

  it('are not given to a member who sees no template with them, and are free when their member leaves', async () => {
    const { server, admin, sample, run, list } = await setUp();
    const template = await sample.template();
    const ana = await addMember(server, 'ana', { projectId: sample.projectId, role: 'task_runner' });
    const { id: user_id } = (await ana.get('/user')).json<{ id: number }>();
    await run(template);
    const [failure] = await list();
    const url = `${sample.base}/failures/${failure?.id}/assignment`;
    const assignee = async () => (await list()).find(({ id }) => id === failure?.id)?.remark.assignment?.name;
    expect((await admin.put(url, { user_id })).statusCode).toBe(204);
    expect(await assignee()).toBe('ana');
    await ana.del(`${sample.base}/me`);
    expect(await assignee()).toBeUndefined();
    await admin.post(`${sample.base}/users`, { user_id, role: 'task_runner' });
    await admin.put(`${sample.base}/templates/${template}`, { restricted: true });
    const refused = await admin.put(url, { user_id });
    expect(refused.json()).toMatchObject({
      fields: { user_id: 'must be a member who can see a template with this failure' },
    });
    await run(await sample.template());
    expect((await admin.put(url, { user_id })).statusCode).toBe(204);
    expect(await assignee()).toBe('ana');
  });

  it('are found by a text in any case and with any letters', async () => {
    const { sample, run, list } = await setUp();
    await run(await sample.template(), [...RECORDS.slice(0, 2), failedOn('web-1', 'Ünknown option: 50%_')]);
    const found = async (search: string) => (await list(`?search=${encodeURIComponent(search)}`)).length;
    expect(await Promise.all(['Ünknown', 'üNKNOWN', '50%_', 'upGRADE', '5%', 'x'].map(found))).toEqual([
      1, 1, 1, 1, 0, 0,
    ]);
  });

  it('count each host of a task once, and come from the results until an earlier version removed them', async () => {
    const { server, admin, sample, run } = await setUp();
    const id = await run(await sample.template(), [...RECORDS.slice(0, -1), failedOn('web-1', 'Denied')]);
    const { autocommit } = server.storage.database;
    const counts = async () => {
      const { total, hosts } = (await admin.get(`${sample.base}/tasks/${id}/failures`)).json<FailureClusters>();
      return { total, hosts };
    };
    expect(await counts()).toEqual({ total: 3, hosts: 3 });
    await autocommit.updateTable('task').set({ log_removed: 1 }).where('id', '=', id).execute();
    await autocommit.deleteFrom('failure').where('result', '=', 'unreachable').execute();
    expect(await counts()).toEqual({ total: 3, hosts: 3 });
    await server.storage.logs.remove([id]);
    expect(await counts()).toEqual({ total: 2, hosts: 2 });
  });

  it('of a hidden template are not seen; a failure of other templates too has their tasks and title only', async () => {
    const { server, admin, sample, run } = await setUp();
    const secret = await sample.template({ name: 'Secret', restricted: true });
    const open = await sample.template({ name: 'Open' });
    const member = await addMember(server, 'ana', { projectId: sample.projectId, role: 'manager' });
    const hidden = await run(secret);
    const list = async () => (await member.get(`${sample.base}/failures`)).json<{ failures: Failure[] }>().failures;
    expect(await list()).toEqual([]);
    const all = (await admin.get(`${sample.base}/failures`)).json<{ failures: Failure[] }>().failures;
    const url = `${sample.base}/failures/${all.find(({ cause }) => cause === 'apt_locked')?.id}`;
    expect((await member.get(url)).statusCode).toBe(404);
    expect((await member.put(url, { note: 'x' })).statusCode).toBe(404);
    expect((await member.get(`${sample.base}/tasks/${hidden}/failures`)).statusCode).toBe(404);
    const LOCK = 'Could not get lock /var/lib/dpkg/lock. It is held by process 9 (dnf)';
    const seen = await run(open, [...RECORDS.slice(0, 2), failedOn('web-9', LOCK)]);
    const latest = await run(secret);
    const shared = async (client: typeof admin) =>
      (await client.get(`${sample.base}/failures?cause=apt_locked`)).json<{ failures: Failure[] }>().failures;
    expect(await shared(member)).toMatchObject([{ title: LOCK, hosts: 1, seen: { times: 1, last_task_id: seen } }]);
    expect(await shared(admin)).toMatchObject([{ hosts: 2, seen: { times: 3, last_task_id: latest } }]);
    expect((await shared(admin))[0]?.title).not.toBe(LOCK);
    expect((await member.put(url, { note: 'Wait' })).statusCode).toBe(204);
    const own = (await member.get(`${sample.base}/tasks/${seen}/failures`)).json<FailureClusters>().clusters;
    expect(own.map((cluster) => [cluster.seen?.times, cluster.seen?.first_task_id])).toEqual([[1, seen]]);
  });
});
