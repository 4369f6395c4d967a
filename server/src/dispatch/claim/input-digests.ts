import { isAbsolute } from 'node:path/posix';
import type { JobSpec } from '@signalbox/contract/link';
import type { Database, StateReader } from '../../database/database.ts';
import { digestOfFile } from '../../input-content.ts';
import type { InputDigest } from '../../secrets/input-digest.ts';

export interface InputDeps {
  readonly database: Pick<Database, 'read' | 'autocommit'>;
  readonly inputDigest: InputDigest;
}

/** The digest of the content of an inventory; null without one, and for a file outside of the repository. */
const inventoryDigest = (digest: InputDigest, job: JobSpec): string | null => {
  if (!('inventory' in job)) return null;
  const { type, inventory } = job.inventory;
  const own = digest(job.project_id, [type, inventory]);
  if (type !== 'file') return own;
  return isAbsolute(inventory) ? null : digestOfFile(own);
};

const sorted = (values: Readonly<Record<string, unknown>>) =>
  Object.entries(values).sort(([a], [b]) => (a < b ? -1 : 1));

/** The secret variables of the environment of a task as they are stored. */
const readSecrets = (db: StateReader, taskId: number) =>
  db
    .selectFrom('environment_secret')
    .innerJoin('task', 'task.environment_id', 'environment_secret.environment_id')
    .select(['environment_secret.id', 'name', 'type', 'secret'])
    .where('task.id', '=', taskId)
    .orderBy('environment_secret.id')
    .execute();

/**
 * The digest of the content of an environment. It has the encrypted secrets: with a digest of their values, a user who may
 * write a secret but not read it could find out by *Compare* whether a guess is right.
 */
const environmentDigest = (
  digest: InputDigest,
  job: JobSpec,
  secrets: Awaited<ReturnType<typeof readSecrets>>,
): string =>
  digest(job.project_id, [
    sorted(job.extra_variables),
    sorted(job.process_environment),
    secrets.map(({ id, name, type, secret }) => [id, name, type, secret]),
  ]);

/**
 * Stores the arguments of the template of a run that starts, and digests of the inventory and environment that it is given, so
 * that later runs can be compared with it.
 */
export const storeInputDigests = async ({ database, inputDigest }: InputDeps, job: JobSpec): Promise<void> => {
  const secrets = await readSecrets(database.read, job.task_id);
  await database.autocommit
    .updateTable('task')
    .set({
      inventory_digest: inventoryDigest(inputDigest, job),
      environment_digest: environmentDigest(inputDigest, job, secrets),
      tpl_arguments: (eb) =>
        eb.selectFrom('template').select('arguments').whereRef('template.id', '=', 'task.template_id'),
    })
    .where('id', '=', job.task_id)
    .where('epoch', '=', job.epoch)
    .execute();
};
