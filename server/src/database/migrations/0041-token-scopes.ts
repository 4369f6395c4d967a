import type { Kysely } from 'kysely';

/**
 * Scopes, projects and templates of API tokens, service accounts, and the token of each event. Earlier tokens keep all
 * rights of their users.
 */
export const tokenScopes = async (db: Kysely<unknown>): Promise<void> => {
  await db.schema
    .alterTable('api_token')
    .addColumn('scopes', 'text', (c) => c.notNull().defaultTo('everything'))
    .execute();
  for (const column of ['projects', 'templates'])
    await db.schema.alterTable('api_token').addColumn(column, 'text').execute();
  await db.schema
    .alterTable('api_token')
    .addColumn('last_address', 'text', (c) => c.notNull().defaultTo(''))
    .execute();
  await db.schema
    .alterTable('users')
    .addColumn('service', 'integer', (c) => c.notNull().defaultTo(0))
    .execute();
  await db.schema.alterTable('event').addColumn('token_id', 'integer').execute();
  await db.schema
    .alterTable('event')
    .addColumn('token_name', 'text', (c) => c.notNull().defaultTo(''))
    .execute();
};
