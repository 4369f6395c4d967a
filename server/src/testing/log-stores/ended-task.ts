import type { ResultRecord } from '@signalbox/contract';
import { sampleRun } from '../sample-results.ts';
import type { TestServer } from '../test-server.ts';

const START = Date.parse('2026-11-21T10:00:00.000Z');

export const lineOf = (number: number): string => `line ${number} of a log, with a value ${(number * 7919) % 100_003}`;

type Append = (records: readonly ResultRecord[]) => Promise<void>;

const appendSample = (append: Append): Promise<void> => append(sampleRun({ hosts: 5, steps: 3 }));

/** Creates a task that has ended, with a closed log of so many lines, and results. */
export const endedTask = async (
  { storage: { database, logs } }: Pick<TestServer, 'storage'>,
  { projectId, templateId }: { readonly projectId: number; readonly templateId: number },
  lines: number,
  appendResults = appendSample,
): Promise<number> => {
  const at = new Date(START).toISOString();
  const { id } = await database.autocommit
    .insertInto('task')
    .values({
      ...{ project_id: projectId, template_id: templateId, user_id: 1, status: 'success', message: '', version: null },
      ...{ tpl_type: '', tpl_alias: 'Template', tpl_playbook: 'site.yml', build_task_id: null, arguments: '[]' },
      ...{ environment: '{}', limit_hosts: '', debug: 0, dry_run: 0, diff: 0, created: at },
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const batch = 2_000;
  for (let first = 1; first <= lines; first += batch) {
    const count = Math.min(batch, lines - first + 1);
    const rows = Array.from({ length: count }, (_, index) => [START + index, lineOf(first + index)] as const);
    await logs.appendOutput({ taskId: id, epoch: 1, first, lines: rows, offset: first });
  }
  let next = 1;
  await appendResults(async (records) => {
    await logs.appendResults({ taskId: id, epoch: 1, first: next, records });
    next += records.length;
  });
  await logs.closeLog(id);
  await database.autocommit.updateTable('task').set({ end_time: at, log_lines: lines }).where('id', '=', id).execute();
  return id;
};
