import { FINAL_STATUSES, MAX_TEMPLATE_HOSTS, type TemplateHost, type TemplateHosts } from '@signalbox/contract';
import type { StateReader } from '../../database/database.ts';
import { mapInSlices } from '../../work-slice.ts';
import { runsOf } from './host-history.ts';

/** Number of newest tasks of a template whose runs count. */
const TASKS = 1000;

type Run = ReturnType<typeof runsOf>[number];

const resultOf = ({ failures, unreachable }: Run): TemplateHost['result'] => {
  if (unreachable > 0) return 'unreachable';
  return failures > 0 ? 'failed' : 'ok';
};

/**
 * Returns how the newest run of a template ended on each host of its project. Takes time for each host that playbooks of the
 * project ran on, in slices.
 */
export const listTemplateHosts = async (
  db: StateReader,
  projectId: number,
  templateId: number,
): Promise<TemplateHosts> => {
  const tasks = await db
    .selectFrom('task')
    .select(['id', 'version', 'end_time'])
    .where('template_id', '=', templateId)
    .where('status', 'in', FINAL_STATUSES)
    .orderBy('id', 'desc')
    .limit(TASKS)
    .execute();
  const byId = new Map(tasks.map((task) => [task.id, task]));
  const rows = await db
    .selectFrom('host')
    .select(['host', 'runs'])
    .where('project_id', '=', projectId)
    .orderBy('host')
    .limit(MAX_TEMPLATE_HOSTS)
    .execute();
  const hosts = await mapInSlices(rows, (row): TemplateHost | undefined => {
    // The end time is compared, because older databases may have reused the id of a deleted task.
    const run = runsOf(row).find(({ task_id, time }) => byId.get(task_id ?? 0)?.end_time === time);
    if (!run) return undefined;
    const task_id = run.task_id as number;
    return {
      host: row.host,
      result: resultOf(run),
      time: run.time,
      task_id,
      version: byId.get(task_id)?.version ?? null,
    };
  });
  return { last_task_id: tasks[0]?.id ?? null, hosts: hosts.filter((host) => host !== undefined) };
};
