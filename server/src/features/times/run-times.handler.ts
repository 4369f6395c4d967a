import { runByRun } from '../../outbox/one-by-one.ts';
import type { OutboxEntry } from '../../outbox/outbox.store.ts';
import type { OutboxHandler } from '../../outbox/outbox.ts';
import type { RunTimes } from '../../times/run-times.ts';
import { encodeTimes } from '../../times/times-codec.ts';
import { optionsOf } from './run-options.ts';
import { type SlowerDeps, storeSlower } from './slower-template.store.ts';

export interface RunTimesDeps extends SlowerDeps {
  /** Returns how long the steps of a run took. */
  readonly times: (taskId: number) => Promise<RunTimes>;
  readonly onError: (error: unknown) => void;
}

const storeRun = async (deps: RunTimesDeps, { task_id, project_id }: OutboxEntry): Promise<void> => {
  if (project_id === null) return;
  const { database, times } = deps;
  const run = await times(task_id);
  if (run.started === null || run.steps.length === 0) return;
  const encoded = await encodeTimes(run);
  const template = await database.write(async (tx) => {
    const task = await tx.selectFrom('task').selectAll().where('id', '=', task_id).executeTakeFirst();
    // A user may have deleted the task meanwhile.
    if (!task?.start_time || !task.end_time) return undefined;
    const start = Date.parse(task.start_time);
    const total = Math.max(0, Date.parse(task.end_time) - start);
    const options = optionsOf({
      limit: task.limit_hosts,
      tags: JSON.parse(task.tags) as string[],
      skip_tags: JSON.parse(task.skip_tags) as string[],
      inventory_id: task.inventory_id,
      dry_run: task.dry_run === 1,
    });
    // The clock of the runner can differ from that of the server.
    const lead = Math.min(total, Math.max(0, (run.started ?? start) - start));
    await tx
      .insertInto('run_time')
      .values({
        ...{ task_id, template_id: task.template_id, options, succeeded: task.status === 'success' ? 1 : 0 },
        ...{ lead: Math.round(lead), total, hosts: run.hosts, times: encoded, changed: run.changed },
      })
      .onConflict((oc) => oc.column('task_id').doNothing())
      .execute();
    return task.status === 'success' ? task.template_id : undefined;
  });
  if (template !== undefined) await storeSlower(deps, template);
};

/** Stores how long the steps of ended runs took. */
export const runTimesHandler = (deps: RunTimesDeps): OutboxHandler => runByRun(deps, (entry) => storeRun(deps, entry));
