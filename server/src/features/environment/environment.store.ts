import { type Environment, holds, type SecretVariable } from '@signalbox/contract';
import type { Selectable } from 'kysely';
import { recordCreated } from '../../audit/object-event.ts';
import type { Actor } from '../../audit/record-event.ts';
import type { StateReader, StateTransaction } from '../../database/database.ts';
import type { EnvironmentTable } from '../../database/schema.ts';
import { listSecrets } from './secret-variable.store.ts';

type Row = Selectable<EnvironmentTable>;

const emptied = (json: string): string => {
  const names = Object.keys(JSON.parse(json) as Record<string, unknown>);
  return JSON.stringify(Object.fromEntries(names.map((name) => [name, ''])));
};

const present = (row: Row, secrets: SecretVariable[], permissions: number): Environment => {
  const mayChange = holds(permissions, 'edit_inventories');
  const { id, project_id, name } = row;
  // Users who may not change an environment see the names of its variables, but not their values.
  const [json, env] = mayChange ? [row.json, row.env] : [emptied(row.json), emptied(row.env)];
  return { id, project_id, name, json, env, secrets };
};

/** Environments as a user with these permissions sees them. */
export const presentEnvironments = async (
  db: StateReader,
  rows: readonly Row[],
  permissions: number,
): Promise<Environment[]> => {
  const secrets = await listSecrets(
    db,
    rows.map((row) => row.id),
  );
  return rows.map((row) => present(row, secrets.get(row.id) ?? [], permissions));
};

export const insertEnvironment = async (
  tx: StateTransaction,
  projectId: number,
  input: Pick<Environment, 'name' | 'json' | 'env'>,
  actor: Actor,
  now: Date,
): Promise<Row> => {
  const row = await tx
    .insertInto('environment')
    .values({ project_id: projectId, name: input.name, json: input.json, env: input.env })
    .returningAll()
    .executeTakeFirstOrThrow();
  await recordCreated(tx, 'environment', row, actor, now);
  return row;
};

const EMPTY = 'Empty';

/** Returns the id of the first environment of a project that has no variables; creates one when there is none. */
export const emptyEnvironment = async (
  tx: StateTransaction,
  projectId: number,
  actor: Actor,
  now: Date,
): Promise<number> => {
  // The lock makes two templates that are created at once share one environment.
  await tx
    .updateTable('project')
    .set((eb) => ({ name: eb.ref('name') }))
    .where('id', '=', projectId)
    .execute();
  const rows = await tx
    .selectFrom('environment')
    .select(['id', 'name', 'json', 'env'])
    .where('project_id', '=', projectId)
    .orderBy('id')
    .execute();
  const plain = rows.filter(({ json, env }) => [json, env].every((one) => /^\s*\{\s*\}\s*$/.test(one)));
  const secrets = await listSecrets(
    tx,
    plain.map(({ id }) => id),
  );
  const empty = plain.find(({ id }) => (secrets.get(id) ?? []).length === 0);
  if (empty) return empty.id;
  const names = new Set(rows.map(({ name }) => name));
  let name = EMPTY;
  for (let number = 2; names.has(name); number++) name = `${EMPTY} ${number}`;
  return (await insertEnvironment(tx, projectId, { name, json: '{}', env: '{}' }, actor, now)).id;
};
