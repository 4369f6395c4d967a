import { type Kysely, sql } from 'kysely';

/** A failure in the previous format: code and parameters in one object. */
type StoredFailure = Readonly<Record<string, unknown>> & { readonly code: string };

/** Converts a stored failure into an end reason. */
const reasonOf = ({ code, ...params }: StoredFailure, runner: string): { code: string; params: object } => {
  const { detail: _, kind: __, ...rest } = params;
  switch (code) {
    case 'key.unusable': {
      const isPassphrase = String(params.detail).startsWith('The passphrase');
      return {
        code: isPassphrase ? 'key.passphrase_wrong' : 'key.damaged',
        params: { key_id: null, key_name: '', ...rest },
      };
    }
    case 'requirements.not_installed':
      return { code: `requirements.${String(params.kind)}s_not_installed`, params: rest };
    case 'hosts.failed':
      // The failed hosts were not stored.
      return { code: 'playbook.failed', params };
    case 'time_limit':
      return { code, params: { seconds: null } };
    case 'runner.lost':
    case 'runner.silent':
    case 'runner.removed':
      return { code, params: { runner } };
    default:
      return { code, params };
  }
};

interface TaskColumns {
  readonly task: {
    readonly status: string;
    readonly failure: string | null;
    readonly runner_name: string;
    readonly started_by: string;
    readonly end_reason: string | null;
    readonly end_params: string | null;
  };
}

const convertFailures = async (db: Kysely<TaskColumns>): Promise<void> => {
  const stored = await db
    .selectFrom('task')
    .select(['failure', 'runner_name'])
    .distinct()
    .where('failure', 'is not', null)
    .execute();
  for (const { failure, runner_name } of stored) {
    if (failure === null) continue;
    const { code, params } = reasonOf(JSON.parse(failure) as StoredFailure, runner_name);
    await db
      .updateTable('task')
      .set({ end_reason: code, end_params: JSON.stringify(params) })
      .where('failure', '=', failure)
      .where('runner_name', '=', runner_name)
      .execute();
  }
  await db
    .updateTable('task')
    .set({ end_reason: 'stop.unknown', end_params: '{}' })
    .where('status', '=', 'stopped')
    .execute();
};

/** `started_by` contained the text `schedule` followed by the name of the schedule. */
const renameStartedBy = async (db: Kysely<TaskColumns>): Promise<void> => {
  const prefix = 'schedule ';
  await db
    .updateTable('task')
    .set({ started_by: sql<string>`substr(started_by, ${sql.lit(prefix.length + 1)})` })
    .where('started_by', 'like', `${prefix}%`)
    .execute();
  await db.schema.alterTable('task').renameColumn('started_by', 'schedule_name').execute();
};

/**
 * Why a task ended, as a code and its parameters in JSON. Both are null for a task that has not ended or ended in success, and
 * if the reason is unknown. They replace `failure`, which had code and parameters of failed tasks in one text.
 * The name of the schedule that started a task gets a column of its own.
 */
export const endReasons = async (db: Kysely<unknown>): Promise<void> => {
  await db.schema.alterTable('task').addColumn('end_reason', 'text').execute();
  await db.schema.alterTable('task').addColumn('end_params', 'text').execute();
  await convertFailures(db as Kysely<TaskColumns>);
  await db.schema.alterTable('task').dropColumn('failure').execute();
  await renameStartedBy(db as Kysely<TaskColumns>);
  // Most tasks succeed and have no reason.
  for (const [index, column] of [
    ['task_end_reason', 'project_id'],
    ['task_end_reason_template', 'template_id'],
  ] as const)
    await db.schema
      .createIndex(index)
      .on('task')
      .columns(['end_reason', column, 'id'])
      .where(sql<boolean>`end_reason is not null`)
      .execute();
};
