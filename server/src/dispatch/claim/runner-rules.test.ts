import { expect, it } from 'vitest';
import { describeEachDatabase, type TestLocation } from '../../testing/database/databases.ts';
import { hostNames } from '../../testing/database/queue.ts';
import { sampleProject } from '../../testing/sample-project.ts';
import { startTestServer } from '../../testing/test-server.ts';
import { claimTasks } from './claim.ts';
import { hasTaskFor, readRules } from './runner-rules.ts';
import { needsMet, waitingNeeds } from './waiting-needs.ts';

const setUp = async (location: TestLocation) => {
  const server = await startTestServer(location, { SIGNALBOX_RUNNER: 'off' });
  const admin = await server.signIn();
  const { database } = server.storage;
  const db = database.autocommit;
  /** A project with a waiting task. */
  const project = async (runnerTags: readonly string[], ofTask: readonly string[] = []) => {
    const { base, template } = await sampleProject(admin);
    const id = Number(base.split('/').at(-1));
    await db
      .updateTable('project')
      .set({ runner_tags: JSON.stringify(runnerTags) })
      .where('id', '=', id)
      .execute();
    const template_id = await template({ options: { runner_tags: ofTask } });
    return { id, task: (await admin.post(`${base}/tasks`, { template_id })).json<{ id: number }>().id };
  };
  const runner = async (name: string, tags: readonly string[], limited: 0 | 1 = 0) => {
    const row = {
      name,
      token_hash: name,
      slots: 9,
      tags: JSON.stringify(tags),
      projects_limited: limited,
      created: '',
    };
    return (await db.insertInto('runner').values(row).returning('id').executeTakeFirstOrThrow()).id;
  };
  /** Whether the first check of the dispatcher finds a task, and the tasks of a claim. */
  const claim = async (id: number) => {
    const rules = (await readRules(database.read)).get(id);
    if (!rules) throw new Error(`there is no runner ${id}`);
    const apps = ['ansible'];
    const needs = needsMet(await waitingNeeds(database.read), { apps, abilities: rules.abilities });
    const mayFind = await hasTaskFor(database.read, rules, needs);
    const limits = { runnerId: id, tokenHash: rules.tokenHash, slots: 9, apps, systemLimit: 0, hostNames };
    return [mayFind, (await claimTasks(database, limits)).map((task) => task.id)];
  };
  return { db, project, runner, claim };
};

describeEachDatabase('a claim', (makeLocation) => {
  it('leases only tasks of the projects of the runner', async () => {
    const { db, project, runner, claim } = await setUp(await makeLocation());
    await project([]);
    const listed = await project([]);
    const id = await runner('limited', [], 1);
    expect(await claim(id)).toEqual([false, []]);
    await db.insertInto('runner_project').values({ runner_id: id, project_id: listed.id }).execute();
    expect(await claim(id)).toEqual([true, [listed.task]]);
  });

  it('leases tasks of a confined project only to a runner with the tags of the project and of the task', async () => {
    const { project, runner, claim } = await setUp(await makeLocation());
    const free = await project([], ['gpu']);
    const confined = await project(['dmz', 'linux'], ['gpu']);
    expect(await claim(await runner('without', ['dmz', 'linux']))).toEqual([false, []]);
    expect(await claim(await runner('part', ['dmz', 'gpu']))).toEqual([true, [free.task]]);
    expect(await claim(await runner('all', ['dmz', 'gpu', 'linux']))).toEqual([true, [confined.task]]);
  });

  it('leases no task to a runner that is paused, or whose process must end', async () => {
    const { db, project, runner, claim } = await setUp(await makeLocation());
    const { task } = await project([]);
    const id = await runner('edge', []);
    const row = db.updateTable('runner').where('id', '=', id);
    await row.set({ paused: 1 }).execute();
    expect(await claim(id)).toEqual([true, []]);
    await row.set({ paused: 0, process: 'one', drain_process: 'one' }).execute();
    expect(await claim(id)).toEqual([true, []]);
    await row.set({ process: 'two' }).execute();
    expect(await claim(id)).toEqual([true, [task]]);
  });
});
