import { type MakeRequest, made } from './request.ts';

/** Two tasks of a template with commits, of which the first one succeeded. */
const comparedTasks: MakeRequest = async ({ server, admin, sample }) => {
  const template_id = await sample.template();
  const start = () => made(admin, `${sample.base}/tasks`, { template_id });
  const [earlier, later] = [await start(), await start()];
  const tasks = server.storage.database.autocommit.updateTable('task');
  await tasks
    .set({ status: 'success', commit_hash: 'a'.repeat(40) })
    .where('id', '=', earlier)
    .execute();
  await tasks
    .set({ commit_hash: 'b'.repeat(40) })
    .where('id', '=', later)
    .execute();
  return { params: { task_id: later } };
};

/** Valid requests for the calls that compare tasks. */
export const COMPARISON_REQUESTS = {
  compareTask: comparedTasks,
  compareTaskLogs: comparedTasks,
  getTaskVersions: comparedTasks,
  listTaskCommits: comparedTasks,
  getTaskDiff: comparedTasks,
} satisfies Record<string, MakeRequest>;
