import type { Task } from '@signalbox/contract';
import { until } from '../product.ts';
import type { Installation } from './installation.ts';
import { judgeAlerts, judgeSchedule, judgeTask } from './judge.ts';
import type { KnownTask } from './limits.ts';
import { tasksOf } from './load.ts';
import { patiently } from './patiently.ts';
import { numbersIn } from './playbooks.ts';
import type { TestProject } from './projects.ts';

export interface EndedSchedule {
  readonly project: TestProject['project'];
  readonly id: number;
  readonly from: number;
  readonly to: number;
}

/** Maximum time until the last alert has arrived, in milliseconds. */
const ALERTS_MS = 60_000;

const judgeOne = async (installation: Installation, { project, templates }: TestProject, task: Task) => {
  const params = { ...project.params, task_id: task.id };
  const text = await patiently(() => project.client.call('getTaskText', { params }));
  const { sealed } = await patiently(() => project.client.call('getTaskLines', { params, query: { limit: '1' } }));
  return judgeTask({
    task: task.id,
    project: project.params.project_id,
    status: task.status,
    expected: task.template_id === templates.get('failing') ? 'error' : 'success',
    starts: installation.startsOf(task.id),
    numbers: numbersIn(String(text)),
    isClosed: sealed,
  });
};

/** Judges all tasks, alerts and schedules after the last task has ended. */
export const judgeInstallation = async (
  installation: Installation,
  projects: readonly TestProject[],
  accepted: ReadonlyMap<number, KnownTask>,
  schedules: readonly EndedSchedule[],
) => {
  const wrong: string[] = [];
  const { alerts } = installation.recorder;
  const found = new Set<number>();
  let starts = 0;
  for (const test of projects) {
    const tasks = await tasksOf(test);
    const id = test.project.params.project_id;
    const own = () => alerts.filter(({ project }) => project === id);
    const all = () => new Set(own().map(({ task }) => task)).size >= tasks.length || undefined;
    await until(`all alerts of project ${id}`, all, ALERTS_MS).catch(() => undefined);
    wrong.push(
      ...judgeAlerts(
        id,
        own(),
        tasks.map((task) => task.id),
      ),
    );
    for (const task of tasks) {
      found.add(task.id);
      wrong.push(...(await judgeOne(installation, test, task)));
    }
    for (const { id: schedule, from, to } of schedules.filter(({ project }) => project === test.project)) {
      const times = tasks.flatMap((task) => (task.schedule_id === schedule ? [Date.parse(task.created)] : []));
      starts += times.length;
      wrong.push(...judgeSchedule(`the schedule of project ${id}`, times, from, to));
    }
  }
  for (const task of accepted.keys()) if (!found.has(task)) wrong.push(`task ${task} was accepted and is lost`);
  const repeated = alerts.length - new Set(alerts.map(({ id }) => id)).size;
  return {
    wrong,
    summary: [
      `${found.size} tasks ran (${found.size - accepted.size} of schedules, or of calls whose answer was lost)`,
      `${alerts.length} alerts, ${repeated} of them sent twice; ${starts} starts of ${schedules.length} schedules`,
    ],
  };
};
