import type { TaskStatistics } from '@signalbox/contract';
import { describe, expect, it } from 'vitest';
import { describeOneDatabase } from '../../testing/database/databases.ts';
import { sampleProject } from '../../testing/sample-project.ts';
import { TestClock } from '../../testing/test-clock.ts';
import { startTestServer } from '../../testing/test-server.ts';
import { type CountedTask, countTasks } from './task-statistics.ts';

const NOW = new Date('2026-03-10T08:00:00Z');

const task = (created: string, seconds: number, change: Partial<CountedTask> = {}): CountedTask => ({
  template_id: 1,
  tpl_alias: 'One',
  status: 'success',
  created,
  start_time: created,
  end_time: new Date(Date.parse(created) + seconds * 1000).toISOString(),
  ...change,
});

describe('counting tasks', () => {
  it('returns every day, also those without tasks, and the median duration of successes', () => {
    const { days } = countTasks(
      [
        task('2026-03-10T07:00:00.000Z', 10),
        task('2026-03-10T06:00:00.000Z', 900, { status: 'error' }),
        task('2026-03-10T05:00:00.000Z', 30),
        task('2026-03-10T00:00:00.000Z', 20),
        task('2026-03-08T23:59:59.999Z', 5, { status: 'stopped' }),
      ],
      NOW,
      3,
      false,
    );
    expect(days).toEqual([
      { day: '2026-03-08', success: 0, error: 0, stopped: 1, seconds: null },
      { day: '2026-03-09', success: 0, error: 0, stopped: 0, seconds: null },
      { day: '2026-03-10', success: 3, error: 1, stopped: 0, seconds: 20 },
    ]);
  });

  it('leaves out the day that was not counted completely', () => {
    const tasks = [task('2026-03-10T07:00:00.000Z', 1), task('2026-03-09T07:00:00.000Z', 1)];
    expect(countTasks(tasks, NOW, 3, true).days.map(({ day }) => day)).toEqual(['2026-03-10']);
  });

  it('lists the busiest templates first, under their current name', () => {
    const two = { template_id: 2, tpl_alias: 'Two' };
    const { templates } = countTasks(
      [
        task('2026-03-10T07:00:00.000Z', 1, { ...two, tpl_alias: 'Two, renamed' }),
        task('2026-03-10T06:00:00.000Z', 4, { status: 'error' }),
        task('2026-03-10T05:00:00.000Z', 3, two),
      ],
      NOW,
      3,
      false,
    );
    expect(templates).toEqual([
      { template_id: 2, name: 'Two, renamed', tasks: 2, succeeded: 2, failed: 0, seconds: 3 },
      { template_id: 1, name: 'One', tasks: 1, succeeded: 0, failed: 1, seconds: null },
    ]);
  });
});

describeOneDatabase('the statistics of a project', (makeLocation) => {
  it('contain the tasks that ended in the requested days, of this project only', async () => {
    const server = await startTestServer(await makeLocation(), {}, new TestClock(NOW.toISOString()));
    const admin = await server.signIn();
    const [sample, other] = [await sampleProject(admin), await sampleProject(admin, 'Other')];
    const template = await sample.template({ name: 'One' });
    const ask = async (query = '') =>
      (await admin.get(`${sample.base}/tasks/statistics${query}`)).json<TaskStatistics>();
    expect(await ask()).toMatchObject({ templates: [] });
    const launch = async (base: string, template_id: number, change?: object) => {
      const { id } = (await admin.post(`${base}/tasks`, { template_id })).json<{ id: number }>();
      if (!change) return;
      await server.storage.database.autocommit
        .updateTable('task')
        .set(change as never)
        .where('id', '=', id)
        .execute();
    };
    const ended = (day: string, status: string) => ({
      status,
      created: `${day}T07:00:00.000Z`,
      start_time: `${day}T07:00:01.000Z`,
      end_time: `${day}T07:00:03.500Z`,
      runner_id: null,
      epoch: 1,
    });
    await launch(sample.base, template, ended('2026-03-10', 'success'));
    await launch(sample.base, template, ended('2026-03-09', 'error'));
    await launch(sample.base, template, ended('2026-03-01', 'success'));
    await launch(sample.base, template);
    await launch(other.base, await other.template(), ended('2026-03-10', 'success'));
    expect(await ask('?days=2')).toEqual({
      days: [
        { day: '2026-03-09', success: 0, error: 1, stopped: 0, seconds: null },
        { day: '2026-03-10', success: 1, error: 0, stopped: 0, seconds: 2.5 },
      ],
      templates: [{ template_id: template, name: 'One', tasks: 2, succeeded: 1, failed: 1, seconds: 2.5 }],
    });
    expect((await ask()).days).toHaveLength(14);
    for (const bad of ['0', '91', 'x'])
      expect((await admin.get(`${sample.base}/tasks/statistics?days=${bad}`)).statusCode).toBe(400);
  });
});
