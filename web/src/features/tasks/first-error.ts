import type { Task } from '@signalbox/contract';
import type { QueryClient } from '@tanstack/react-query';
import { call } from '../../api/call.ts';
import { taskFailuresQuery } from '../../api/run-queries.ts';
import { reasonLine } from './end-reason/reason-line.ts';
import type { LogSource } from './log/log-source.ts';
import { badHostCount, badOutcomes, type Run } from './results/run-model.ts';

/** Line of the first result that needs attention; undefined without any, and where results are not held. */
const firstBadLine = (run: Run): number | undefined => {
  const lines = run.steps.flatMap((step) => badOutcomes(run, step).map(({ line }) => line));
  return lines.length === 0 ? undefined : Math.min(...lines);
};

/** Whether the log contains an error. */
export const hasError = (task: Pick<Task, 'status'> | undefined, run: Run): boolean =>
  task?.status === 'error' || badHostCount(run) > 0;

/**
 * Finds the line where a task first failed: the first failed result, else the first error of the program, else the last
 * line, which explains why a task was never started.
 * @param errorPrefix what a line contains in which the program reports an error
 */
export const findFirstError = async (
  client: QueryClient,
  { project_id, id: task_id, end_reason }: Pick<Task, 'project_id' | 'id' | 'end_reason'>,
  run: Run,
  log: LogSource,
  errorPrefix: string,
): Promise<number> => {
  const known = firstBadLine(run);
  if (known !== undefined) return known;
  if (run.long) {
    const { records } = await client.fetchQuery(taskFailuresQuery(project_id, task_id, badHostCount(run)));
    const line = Math.min(...records.map((record) => record.line));
    if (Number.isFinite(line)) return line;
  }
  const { total } = log.state;
  const reason = reasonLine(end_reason, total, (line) => log.line(line));
  if (reason !== total) return reason;
  const { lines } = await call('searchTaskLines', { params: { project_id, task_id }, query: { text: errorPrefix } });
  return lines[0] ?? Math.max(1, total);
};
