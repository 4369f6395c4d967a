import { type Environment, holds } from '@signalbox/contract';
import { recordCreated } from '../../audit/created.ts';
import type { Actor } from '../../audit/record-event.ts';
import type { StateTransaction } from '../../database/database.ts';

const emptied = (json: string): string => {
  const names = Object.keys(JSON.parse(json) as Record<string, unknown>);
  return JSON.stringify(Object.fromEntries(names.map((name) => [name, ''])));
};

/** Whoever may not change an environment sees the names of its variables, not their values. */
export const presentEnvironment = (environment: Environment, permissions: number): Environment =>
  holds(permissions, 'manage_resources')
    ? environment
    : { ...environment, json: emptied(environment.json), env: emptied(environment.env) };

export const insertEnvironment = async (
  tx: StateTransaction,
  projectId: number,
  facts: Pick<Environment, 'name' | 'json' | 'env'>,
  actor: Actor,
  now: Date,
): Promise<Environment> => {
  const row = await tx
    .insertInto('environment')
    .values({ project_id: projectId, name: facts.name, json: facts.json, env: facts.env })
    .returningAll()
    .executeTakeFirstOrThrow();
  await recordCreated(tx, 'Environment', row, actor, now);
  return row;
};
