import { performance } from 'node:perf_hooks';
import type { Overview, TemplateTimes } from '@signalbox/contract';
import { DAY_MS } from '@signalbox/contract/limits';
import { expect, it } from 'vitest';
import type { Database } from '../../database/database.ts';
import { describeEachDatabase } from '../../testing/database/databases.ts';
import { watchLoop } from '../../testing/loop-watch.ts';
import { addMember, sampleProject } from '../../testing/sample-project.ts';
import { startTestServer } from '../../testing/test-server.ts';
import type { RunTimes } from '../../times/run-times.ts';
import { encodeTimes } from '../../times/times-codec.ts';
import { storeSlower } from './slower-template.store.ts';

const HOSTS = Array.from({ length: 200 }, (_, at) => ({ host: `web-${at}`, ms: 200_000 - at, waitedFor: 200 - at }));

/** A run with steps of these times, in milliseconds. */
const runOf = (times: readonly number[]): RunTimes => {
  let at = 0;
  const steps = times.map((ms, position) => {
    const name = `Step ${position + 1}`;
    const shared = { key: `Web\n${name}\napt`, step: position + 1, play: 'Web', name, path: `site.yml:${position}` };
    const step = { ...shared, at, ms, hosts: 200, p50: ms / 2, p95: ms, slowest: [['web-0', ms]] as const };
    at += ms;
    return step;
  });
  return { started: 0, hosts: 200, changed: 0, steps, slowest: HOSTS };
};

/** Stores runs of a template, the oldest first, with a task each. Returns the ids of the tasks. */
const storeRuns = async (
  database: Database,
  of: { readonly template: number; readonly task: number },
  runs: readonly {
    readonly total: number;
    readonly times: string;
    readonly commit: string;
    readonly options?: string;
  }[],
): Promise<number[]> => {
  const { id: _, ...task } = await database.read
    .selectFrom('task')
    .selectAll()
    .where('id', '=', of.task)
    .executeTakeFirstOrThrow();
  const ids: number[] = [];
  await database.write(async (tx) => {
    for (const { total, times, commit, options = 'same' } of runs) {
      const row = { ...task, status: 'success', commit_hash: commit } as const;
      const { id } = await tx
        .insertInto('task')
        .values(row as never)
        .returning('id')
        .executeTakeFirstOrThrow();
      const shared = {
        template_id: of.template,
        options,
        succeeded: 1,
        lead: 0,
        hosts: 200,
        changed: null,
      } as const;
      await tx
        .insertInto('run_time')
        .values({ task_id: id, total, times, ...shared })
        .execute();
      ids.push(id);
    }
  });
  return ids;
};

describeEachDatabase('the times of a template', (makeLocation) => {
  it('name the slowest steps and hosts, and what changed in the first slower run', async () => {
    const server = await startTestServer(await makeLocation());
    const admin = await server.signIn();
    const { base, projectId, template } = await sampleProject(admin);
    const id = await template();
    const guest = await addMember(server, 'guest', { projectId, role: 'guest' });
    const get = async () => (await guest.get(`${base}/templates/${id}/times`)).json<TemplateTimes>();
    expect(await get()).toEqual({ runs: [], steps: [], hosts: [], slower: null });
    const task = (await admin.post(`${base}/tasks`, { template_id: id })).json<{ id: number }>().id;
    const fast = { total: 60_000, times: await encodeTimes(runOf([10_000, 50_000])), commit: 'a'.repeat(40) };
    const slow = { total: 100_000, times: await encodeTimes(runOf([11_000, 69_000, 20_000])), commit: 'b'.repeat(40) };
    const runs = [fast, fast, { ...fast, total: 300_000 }, fast, fast, slow, slow, slow, slow, slow];
    const ids = await storeRuns(server.storage.database, { template: id, task }, runs);
    const times = await get();
    expect(times.runs.map((run) => run.task_id)).toEqual(ids);
    expect(times.steps.map(({ name, usual_ms, step, task_id }) => [name, usual_ms, step, task_id])).toEqual([
      ['Step 2', 50_000, 2, ids[9]],
      ['Step 3', 20_000, 3, ids[9]],
      ['Step 1', 10_000, 1, ids[9]],
    ]);
    expect(times.steps[1]?.trend).toEqual([...Array(5).fill(null), ...Array(5).fill(20_000)]);
    expect(times.hosts[0]).toEqual({ host: 'web-0', usual_ms: 200_000, waited_for_ms: 200, task_id: ids[9], runs: 10 });
    expect(times.slower).toMatchObject({
      ...{ task_id: ids[5], before_id: ids[4], before_ms: 60_000, after_ms: 100_000, changed: ['commit_hash'] },
      ...{ versions: [], hosts_before: 200, hosts_after: 200 },
      steps: [
        { name: 'Step 3', before_ms: 0, after_ms: 20_000 },
        { name: 'Step 2', before_ms: 50_000, after_ms: 69_000 },
      ],
    });
    const { database, logs } = server.storage;
    const deps = { database, timesOfRuns: logs.timesOfRuns };
    const overview = async () => (await guest.get(`${base}/overview`)).json<Overview>().slower;
    await storeSlower(deps, id);
    const { created: since } = times.slower ?? {};
    const slower = { task_id: ids[5], before_id: ids[4], before_ms: 60_000, after_ms: 100_000, step: 'Step 3', since };
    expect(await overview()).toMatchObject([{ template_id: id, ...slower }]);
    await storeRuns(database, { template: id, task }, [{ ...slow, total: 120_000 }]);
    await storeSlower(deps, id);
    expect(await overview()).toMatchObject([slower]);
    // A run on fewer hosts is no reason to forget that the others are slower.
    await storeRuns(database, { template: id, task }, [{ ...fast, total: 5_000, options: 'limited' }]);
    await storeSlower(deps, id);
    expect(await overview()).toMatchObject([slower]);
    expect((await get()).slower?.task_id).toBe(ids[5]);
    const old = new Date(Date.now() - 31 * DAY_MS).toISOString();
    const first = (created: string) =>
      database.autocommit
        .updateTable('task')
        .set({ created } as object)
        .where('id', '=', ids[5] ?? 0)
        .execute();
    await first(old);
    expect(await overview()).toEqual([]);
    await first(since ?? '');
    await admin.put(`${base}/templates/${id}`, { restricted: true });
    expect(await overview()).toEqual([]);
    expect((await admin.get(`${base}/overview`)).json<Overview>().slower).toHaveLength(1);
    await storeRuns(database, { template: id, task }, Array(50).fill(slow));
    await storeSlower(deps, id);
    expect((await admin.get(`${base}/overview`)).json<Overview>().slower).toEqual([]);
    expect((await admin.get(`/project/${projectId}/templates/999999/times`)).statusCode).toBe(404);
  });

  it('of 2,000 runs read the newest 50 only, and decode them outside of the main thread', async () => {
    const server = await startTestServer(await makeLocation());
    const admin = await server.signIn();
    const { base, template } = await sampleProject(admin);
    const id = await template();
    const task = (await admin.post(`${base}/tasks`, { template_id: id })).json<{ id: number }>().id;
    const times = await encodeTimes(runOf(Array.from({ length: 300 }, (_, at) => 100 + at)));
    const run = { total: 75_000, times, commit: 'a'.repeat(40) };
    const ids = await storeRuns(server.storage.database, { template: id, task }, Array(2_000).fill(run));
    const watch = watchLoop();
    const took: number[] = [];
    const blocked: number[] = [];
    for (let count = 0; count < 40; count += 1) {
      watch.longestTurnMs();
      const before = performance.now();
      const answer = await admin.get(`${base}/templates/${id}/times`);
      took.push(performance.now() - before);
      blocked.push(watch.longestTurnMs());
      if (count === 0) expect(answer.json<TemplateTimes>().runs.map((one) => one.task_id)).toEqual(ids.slice(-50));
    }
    watch.stop();
    const p95 = (values: number[]) => values.toSorted((a, b) => a - b)[37]?.toFixed(1);
    const first = took[0]?.toFixed(1);
    console.info(
      `2,000 runs of 300 steps: first ${first} ms, p95 ${p95(took)} ms, longest turn p95 ${p95(blocked)} ms`,
    );
    expect(Math.min(...blocked)).toBeLessThan(50);
  });
});
