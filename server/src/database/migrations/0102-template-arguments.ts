import type { Kysely } from 'kysely';

/** Adds the arguments of their template with which tasks ran: the template may have been changed since. */
export const templateArguments = async (db: Kysely<unknown>): Promise<void> => {
  await db.schema.alterTable('task').addColumn('tpl_arguments', 'text').execute();
};
