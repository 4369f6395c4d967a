import type { Selectable } from 'kysely';
import type { StateTransaction } from '../../database/database.ts';
import type { FailureTable } from '../../database/failure.schema.ts';
import { UNASSIGNED } from '../../failures/assignment-columns.ts';
import type { RunCluster } from '../../failures/cluster.ts';
import { isUnfixed } from '../../failures/may-fix.ts';
import { isCounted } from './counted-runs.ts';
import { decodeHosts, encodeHosts } from './host-lines.ts';
import { readOpenHosts } from './open-hosts.ts';

export type FailureRow = Selectable<FailureTable>;

const collator = new Intl.Collator('en', { numeric: true });

/** A cluster of an ended task, with its hosts as they are stored. */
export interface StoredCluster {
  readonly cluster: RunCluster;
  readonly hostLines: string;
}

export interface EndedTask {
  readonly id: number;
  readonly project_id: number;
  readonly template_id: number;
  readonly ended: string;
}

/** Finds the failure of the project with the fingerprint of a cluster, or creates it. */
const upsertFailure = async (tx: StateTransaction, projectId: number, cluster: RunCluster): Promise<number> => {
  const { fingerprint, result, cause, title, action, step } = cluster;
  const { id } = await tx
    .insertInto('failure')
    .values({ project_id: projectId, fingerprint, result, cause, title, action, step })
    // An update that changes nothing answers the id of the failure that exists.
    .onConflict((oc) =>
      oc.columns(['project_id', 'fingerprint']).doUpdateSet((eb) => ({ note: eb.ref('failure.note') })),
    )
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
};

/** Maximum number of failures of a project. */
const MAX_FAILURES = 10_000;

/** Deletes the failures that were seen least recently, except those with a note, a state or an assignment. */
const deleteOldest = async (tx: StateTransaction, projectId: number): Promise<void> => {
  const { count } = await tx
    .selectFrom('failure')
    .select((eb) => eb.fn.countAll().as('count'))
    .where('project_id', '=', projectId)
    .executeTakeFirstOrThrow();
  if (Number(count) <= MAX_FAILURES) return;
  const oldest = await tx
    .selectFrom('failure')
    .leftJoin('failure_template', 'failure_template.failure_id', 'failure.id')
    .select('failure.id')
    .where('project_id', '=', projectId)
    .where('note', '=', '')
    .where('known_until', 'is', null)
    .where('known_commit', '=', '')
    .where('assignee_id', 'is', null)
    .groupBy('failure.id')
    .orderBy((eb) => eb.fn.coalesce(eb.fn.max('failure_template.last'), eb.val('')))
    .limit(Math.min(500, Number(count) - MAX_FAILURES))
    .execute();
  const ids = oldest.map(({ id }) => id);
  if (ids.length > 0) await tx.deleteFrom('failure').where('id', 'in', ids).execute();
};

/** The columns of a failure that is not fixed on these hosts. */
const openOn = (hosts: string[]) => ({
  open_hosts: encodeHosts(hosts.sort(collator.compare)),
  open_count: hosts.length,
});

const countRun = async (
  tx: StateTransaction,
  failureId: number,
  task: EndedTask,
  { cluster, hostLines }: StoredCluster,
): Promise<void> => {
  const { hosts, title, step } = cluster;
  const own = decodeHosts(hostLines);
  const at = { failure_id: failureId, template_id: task.template_id };
  const counted = await tx
    .selectFrom('failure_template')
    .selectAll()
    .where('failure_id', '=', failureId)
    .where('template_id', '=', task.template_id)
    .executeTakeFirst();
  if (!counted) {
    const first = { since: task.ended, last: task.ended, first_task_id: task.id, last_task_id: task.id };
    await tx
      .insertInto('failure_template')
      .values({ ...at, ...first, ...openOn(own), times: 1, streak: 1, hosts, title, step })
      .execute();
    return;
  }
  // Runs can end in another order than they were started in.
  const isLast = task.id > counted.last_task_id;
  const streak = counted.open_count === 0 ? 1 : counted.streak + 1;
  const open = openOn([...new Set([...((await readOpenHosts(tx, at)) ?? []), ...own])]);
  await tx
    .updateTable('failure_template')
    .set({
      ...open,
      times: counted.times + 1,
      ...(isLast ? { streak, last: task.ended, last_task_id: task.id, hosts, title, step } : {}),
    })
    .where('failure_id', '=', failureId)
    .where('template_id', '=', task.template_id)
    .execute();
};

/** Ends the assignments of failures that were fixed, so that none returns with a failure. */
const endAssignments = async (tx: StateTransaction, ids: readonly number[]): Promise<void> => {
  await tx
    .updateTable('failure')
    .set(UNASSIGNED)
    .where('assignee_id', 'is not', null)
    .where('id', 'in', [0, ...ids])
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('failure_template as l')
            .select('l.template_id')
            .whereRef('l.failure_id', '=', 'failure.id')
            .where(isUnfixed('l')),
        ),
      ),
    )
    .execute();
};

/** Stores the clusters of an ended task, and counts them if the run counts. Storing them again changes nothing. */
export const storeClusters = async (
  tx: StateTransaction,
  task: EndedTask,
  clusters: readonly StoredCluster[],
): Promise<void> => {
  const added: { readonly failureId: number; readonly stored: StoredCluster }[] = [];
  for (const one of clusters) {
    const { cluster, hostLines } = one;
    const failure_id = await upsertFailure(tx, task.project_id, cluster);
    const stored = await tx
      .insertInto('task_failure')
      .values({
        ...{ task_id: task.id, failure_id, template_id: task.template_id, ended: task.ended },
        ...{ hosts: cluster.hosts, cluster: JSON.stringify(cluster), host_lines: hostLines },
      })
      .onConflict((oc) => oc.columns(['task_id', 'failure_id']).doNothing())
      .returning('task_id')
      .executeTakeFirst();
    if (stored) added.push({ failureId: failure_id, stored: one });
  }
  if (await isCounted(tx, task.id)) {
    await endAssignments(
      tx,
      added.map(({ failureId }) => failureId),
    );
    for (const { failureId, stored } of added) await countRun(tx, failureId, task, stored);
  }
  await deleteOldest(tx, task.project_id);
};
