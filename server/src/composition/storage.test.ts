import type { FreedStorage, InstallationStorage, ProjectStorage } from '@signalbox/contract';
import { DAY_MS } from '@signalbox/contract/limits';
import { expect, it } from 'vitest';
import { unfixedRuns } from '../features/failures/unfixed-runs.ts';
import { measureStorage } from '../features/retention/measure-storage.ts';
import { describeEachDatabase, type TestLocation } from '../testing/database/databases.ts';
import { endedTask } from '../testing/log-stores/ended-task.ts';
import { addMember, sampleProject } from '../testing/sample-project.ts';
import { startTestServer } from '../testing/test-server.ts';

const setUp = async (location: TestLocation) => {
  const server = await startTestServer(location);
  const admin = await server.signIn();
  const { base, projectId, template } = await sampleProject(admin);
  const { database, logs } = server.storage;
  const task = async (templateId: number, daysAgo: number, lines: number): Promise<number> => {
    const id = await endedTask(server, { projectId, templateId }, lines);
    const end_time = new Date(Date.now() - daysAgo * DAY_MS).toISOString();
    await database.autocommit.updateTable('task').set({ end_time }).where('id', '=', id).execute();
    return id;
  };
  const system = { tasksDays: 0, logsDays: 0, leastTasks: 1 };
  const clock = { now: () => new Date() };
  const sources = { database, unfixedRuns: (templateId: number) => unfixedRuns(database, templateId) };
  const measure = (changed: Partial<typeof system> = {}) =>
    measureStorage({ ...sources, logs, clock, system: { ...system, ...changed } }, new AbortController().signal);
  const storage = async (client = admin) => (await client.get(`${base}/storage`)).json<ProjectStorage>();
  const freed = async (query: string) => (await admin.get(`${base}/storage/freed?${query}`)).json<FreedStorage>();
  return { server, admin, base, projectId, template, task, measure, storage, freed, database };
};

describeEachDatabase('the storage of a project', (makeLocation) => {
  it('is measured by template, the largest first, with what settings would free', async () => {
    const { template, task, measure, storage, freed, admin, base, database } = await setUp(await makeLocation());
    const [small, large] = [await template({ name: 'Small' }), await template({ name: 'Large' })];
    expect(await storage()).toMatchObject({ measured: null, tasks: 0, templates: [], outdated: false });
    for (const days of [50, 40, 5]) await task(large, days, 3000);
    await task(small, 2, 10);
    expect(await storage()).toMatchObject({ measured: null, outdated: true });
    await measure();
    const found = await storage();
    expect(found).toMatchObject({ outdated: false, tasks: 4, logs: 4, total: 2, logs_in: 'database' });
    expect(found.templates).toMatchObject([
      { name: 'Large', tasks: 3, logs_days: 0, tasks_min: 20, logs_set_by: 'system' },
      { name: 'Small', tasks: 1 },
    ]);
    const [first] = found.templates;
    expect(first?.written_per_day).toBe(first?.growth_per_day);
    expect((first?.log_bytes ?? 0) / (first?.written_per_day ?? 1)).toBeGreaterThan(60);

    const estimate = await freed('keep_logs_days=30&keep_tasks_min=1');
    expect(estimate).toMatchObject({ tasks: 0, logs: 2 });
    expect(estimate.system).toEqual({ keep_tasks_days: 0, keep_logs_days: 0, keep_tasks_min: 20 });
    expect(estimate.bytes / ((first?.log_bytes ?? 0) * (2 / 3))).toBeCloseTo(1, 1);
    expect(await freed('keep_logs_days=30')).toMatchObject({ logs: 0, bytes: 0 });
    await admin.put(`${base}/templates/${large}`, { keep_logs_days: 0 });
    expect(await freed('keep_logs_days=30&keep_tasks_min=1')).toMatchObject({ logs: 0 });

    await database.autocommit.updateTable('task').set({ log_removed: 1 }).where('template_id', '=', large).execute();
    await measure();
    expect(await storage()).toMatchObject({ tasks: 4, logs: 1, result_bytes: found.result_bytes });
    await admin.del(`${base}/templates/${large}`);
    expect((await storage()).templates).toMatchObject([{ name: 'Small' }]);
  });

  it.each([
    ['a log age of 7 days', { logsDays: 7 }, 6.5],
    ['a log age of 7 days and 10 tasks that stay', { logsDays: 7, leastTasks: 10 }, 18.5],
  ])('does not grow with %s while tasks write the same', async (_, settings, oldestLog) => {
    const { template, task, measure, storage, database } = await setUp(await makeLocation());
    const templateId = await template();
    for (let daysAgo = 38.5; daysAgo > 0; daysAgo -= 2) {
      const id = await task(templateId, daysAgo, 2000);
      if (daysAgo <= oldestLog) continue;
      await database.autocommit.updateTable('task').set({ log_removed: 1 }).where('id', '=', id).execute();
    }
    await measure(settings);
    const { written_per_day, growth_per_day, log_bytes } = await storage();
    expect(written_per_day).toBeGreaterThan(log_bytes / 30);
    // The results grow, and the last success stays.
    expect(Math.abs(growth_per_day)).toBeLessThan(written_per_day * 0.2);
  });

  it('leaves out templates that a member does not see, and is answered for all projects to admins only', async () => {
    const { server, admin, projectId, template, task, measure, storage } = await setUp(await makeLocation());
    const [open, secret] = [await template(), await template({ name: 'Secret', restricted: true })];
    await task(open, 3, 10);
    await task(secret, 3, 1000);
    await measure();
    const ana = await addMember(server, 'ana', { projectId, role: 'manager' });
    expect(await storage(ana)).toMatchObject({ tasks: 1, total: 1, host_bytes: null });
    expect(await storage()).toMatchObject({ tasks: 2, total: 2, host_bytes: 0 });
    expect((await ana.get('/storage')).statusCode).toBe(403);
    const all = (await admin.get('/storage')).json<InstallationStorage>();
    expect(all.projects).toContainEqual(expect.objectContaining({ project_id: projectId, tasks: 2 }));
    // A few kilobytes each day fill no disk within ten years.
    expect(all.full_in_days).toBeNull();
  });
});
