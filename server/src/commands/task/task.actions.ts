import type { FailureCluster } from '@signalbox/contract';
import { failureText, textsIn } from '@signalbox/lang';
import { FAILURES } from '@signalbox/lang/catalogues';
import { removalText } from '../../logs/removal-text.ts';
import { StartError } from '../../start-error.ts';
import { type ApiCaller, ServerAway } from '../api-caller.ts';
import { type CallerOptions, callerOf } from '../caller-settings.ts';
import { print, printJson } from '../terminal.ts';
import { terminalLine } from '../terminal-line.ts';

interface ShowOptions extends CallerOptions {
  readonly json?: boolean;
}

/** Maximum number of failures, and of lines of a message. */
const FAILURES_SHOWN = 100;
const LINES = 3;

const english = textsIn('en', [FAILURES.en]);

/** @throws StartError if the caller sees no task with this number */
const paramsOf = async (api: ApiCaller, id: string): Promise<{ project_id: number; task_id: number }> => {
  const hits = await api.call('search', { query: { q: id } });
  const task = hits.find((hit) => hit.kind === 'task' && String(hit.id) === id);
  if (!task) throw new StartError(`There is no task #${id}, or you have no access to it.`);
  return { project_id: task.project_id, task_id: task.id };
};

/** The texts of hosts may contain control sequences. */
const safe = (text: string): string => terminalLine(text.replaceAll(/[\r\n]+/g, ' '), false);

const printFailure = (cluster: FailureCluster): void => {
  const { step, path, first, messages, seen, remark } = cluster;
  print('');
  print(safe(failureText(english, cluster)));
  print(safe(`  step ${step}${path === '' ? '' : ` (${path})`}, first on ${first.host}, log line ${first.line}`));
  const text = (messages[0]?.segments ?? []).map((segment) => segment.text).join('');
  for (const line of text.split('\n').slice(0, LINES)) print(safe(`  ${line}`));
  if (seen) print(`  seen in ${seen.times} ${seen.times === 1 ? 'task' : 'tasks'} since ${seen.since}`);
  const assignment = remark?.assignment;
  if (assignment) print(safe(`  ${assignment.name} takes care${assignment.note === '' ? '' : `: ${assignment.note}`}`));
  if (remark && remark.note !== '') print(safe(`  note of ${remark.note_by}: ${remark.note}`));
};

/** Prints the status of a task and its failures. */
export const showTask = async (id: string, options: ShowOptions): Promise<void> => {
  const { api } = callerOf(options);
  const read = async () => {
    const params = await paramsOf(api, id.replace(/^#/, ''));
    const task = await api.call('getTask', { params });
    const found = await api.call('listFailureClusters', { params, query: { limit: String(FAILURES_SHOWN) } });
    return { task, found };
  };
  const { task, found } = await read().catch((error: unknown): never => {
    throw error instanceof ServerAway ? new StartError(error.message) : error;
  });
  if (options.json) return printJson({ task, failures: found.clusters, failures_total: found.total });
  print(safe(`#${task.id} ${task.tpl_alias}: ${task.status}${task.end_reason ? `. ${task.end_reason.text}` : ''}`));
  if (task.log_removed) print(removalText(task.log_removal));
  for (const cluster of found.clusters) printFailure(cluster);
  const more = found.total - found.clusters.length;
  if (more > 0) print(`\n${more} more failures`);
};
