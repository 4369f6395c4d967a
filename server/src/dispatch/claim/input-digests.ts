import { isAbsolute } from 'node:path/posix';
import type { JobSpec } from '@signalbox/contract/link';
import type { Database } from '../../database/database.ts';
import { fileDigest } from '../../input-content.ts';
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
  return isAbsolute(inventory) ? null : fileDigest(own);
};

const sorted = (values: Readonly<Record<string, unknown>>) =>
  Object.entries(values).sort(([a], [b]) => (a < b ? -1 : 1));

const environmentDigest = (digest: InputDigest, job: JobSpec, answers: ReadonlySet<string>): string => {
  const secrets = sorted(job.secret_variables).filter(([name]) => !answers.has(name));
  const values = [job.extra_variables, job.process_environment, job.secret_environment].map(sorted);
  return digest(job.project_id, [...values, secrets]);
};

/** Stores the arguments that a run is given, and digests of its inventory and environment, so that later runs can be compared with it. */
export const storeInputs = async ({ database, inputDigest }: InputDeps, job: JobSpec): Promise<void> => {
  const answers = await database.read
    .selectFrom('task_secret')
    .select('name')
    .where('task_id', '=', job.task_id)
    .execute();
  await database.autocommit
    .updateTable('task')
    .set({
      inventory_digest: inventoryDigest(inputDigest, job),
      environment_digest: environmentDigest(inputDigest, job, new Set(answers.map(({ name }) => name))),
      run_arguments: 'arguments' in job ? JSON.stringify(job.arguments) : null,
    })
    .where('id', '=', job.task_id)
    .where('epoch', '=', job.epoch)
    .execute();
};
