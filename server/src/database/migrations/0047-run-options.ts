import { type Kysely, sql } from 'kysely';

/** Options and prompts of templates as this step stores them in the templates that exist: only the arguments were fixed. */
const OPTIONS = { limit: '', tags: [], skip_tags: [], verbosity: 0, forks: null, dry_run: false, diff: false };
const PROMPTS = {
  inventory_id: 'fixed',
  environment_id: 'fixed',
  git_branch: 'fixed',
  limit: 'any',
  tags: null,
  skip_tags: null,
  forks: null,
  verbosity: 'any',
  dry_run: 'any',
  diff: 'any',
  vaults: 'fixed',
  max_duration: 'fixed',
};

/** Columns of a task that are null where it has the value of its template. */
const NUMBERS = ['forks', 'inventory_id', 'environment_id', 'max_duration'] as const;

/** Adds the options of runs to templates and tasks, what a user may change of them, and passwords of vaults with ids. */
export const runOptions = async (db: Kysely<unknown>): Promise<void> => {
  const template = db.schema.alterTable('template');
  await template.addColumn('options', 'text', (c) => c.notNull().defaultTo(JSON.stringify(OPTIONS))).execute();
  await template.addColumn('vaults', 'text', (c) => c.notNull().defaultTo('[]')).execute();
  await template.addColumn('prompts', 'text', (c) => c.notNull().defaultTo(JSON.stringify(PROMPTS))).execute();
  const task = db.schema.alterTable('task');
  for (const name of ['tags', 'skip_tags'])
    await task.addColumn(name, 'text', (c) => c.notNull().defaultTo('[]')).execute();
  await task.addColumn('verbosity', 'integer', (c) => c.notNull().defaultTo(0)).execute();
  for (const name of NUMBERS) await task.addColumn(name, 'integer').execute();
  for (const name of ['git_branch', 'vaults']) await task.addColumn(name, 'text').execute();
  // `debug` of earlier versions is `-vvvv`.
  await sql`update task set verbosity = 4 where debug = 1`.execute(db);
  const objects = { vault_key_id: 'access_key.id', inventory_id: 'inventory.id', environment_id: 'environment.id' };
  let table = db.schema
    .createTable('template_object')
    .addColumn('template_id', 'integer', (c) => c.notNull().references('template.id').onDelete('cascade'));
  for (const [name, target] of Object.entries(objects))
    table = table.addColumn(name, 'integer', (c) => c.references(target));
  await table.execute();
  for (const name of ['template_id', ...Object.keys(objects)])
    await db.schema.createIndex(`template_object_${name}`).on('template_object').column(name).execute();
};
