import { type CreateTableBuilder, type Kysely, sql } from 'kysely';
import type { Capabilities } from '../dialects/capabilities.ts';

type Columns = Capabilities['columns'];
type Table = CreateTableBuilder<string, string>;

const LIVE = sql`status in ('waiting', 'starting', 'running', 'stopping')`;

const withId = (table: Table, columns: Columns): Table =>
  table.addColumn('id', sql.raw(columns.id), (c) => c.primaryKey());

const ofProject = (table: Table): Table =>
  table.addColumn('project_id', 'integer', (c) => c.notNull().references('project.id').onDelete('cascade'));

const texts = (table: Table, ...names: string[]): Table =>
  names.reduce((t, name) => t.addColumn(name, 'text', (c) => c.notNull()), table);

const flags = (table: Table, ...names: string[]): Table =>
  names.reduce(
    (t, name) => t.addColumn(name, 'integer', (c) => c.notNull().check(sql`${sql.ref(name)} in (0, 1)`)),
    table,
  );

const reference = (table: Table, name: string, to: string): Table =>
  table.addColumn(name, 'integer', (c) => c.notNull().references(`${to}.id`));

const optional = (table: Table, name: string, to: string): Table =>
  table.addColumn(name, 'integer', (c) => c.references(`${to}.id`));

const people = async (db: Kysely<unknown>, columns: Columns): Promise<void> => {
  const make = (name: string): Table => withId(db.schema.createTable(name) as unknown as Table, columns);
  await flags(
    texts(make('users'), 'username', 'username_key', 'name', 'email', 'email_key', 'password_hash', 'created'),
    'admin',
    'alert',
    'external',
    'can_create_project',
    'billing',
  ).execute();
  await db.schema.createIndex('users_username').on('users').column('username_key').unique().execute();
  await db.schema.createIndex('users_email').on('users').column('email_key').execute();

  await texts(make('session'), 'token_hash', 'created', 'expires', 'address')
    .addColumn('user_id', 'integer', (c) => c.notNull().references('users.id').onDelete('cascade'))
    .execute();
  await db.schema.createIndex('session_token').on('session').column('token_hash').unique().execute();
  await db.schema.createIndex('session_user').on('session').column('user_id').execute();

  await flags(texts(make('project'), 'name', 'alert_chat', 'created'), 'alert')
    .addColumn('max_parallel_tasks', 'integer', (c) => c.notNull().defaultTo(0))
    .execute();
  await db.schema
    .createTable('project_user')
    .addColumn('project_id', 'integer', (c) => c.notNull().references('project.id').onDelete('cascade'))
    .addColumn('user_id', 'integer', (c) => c.notNull().references('users.id').onDelete('cascade'))
    .addColumn('role', 'text', (c) => c.notNull())
    .addPrimaryKeyConstraint('project_user_key', ['project_id', 'user_id'])
    .execute();
  await db.schema.createIndex('project_user_user').on('project_user').column('user_id').execute();
};

const resources = async (db: Kysely<unknown>, columns: Columns): Promise<void> => {
  const make = (name: string): Table => ofProject(withId(db.schema.createTable(name) as unknown as Table, columns));
  const named = (name: string, title: string) =>
    db.schema.createIndex(`${name}_name`).on(name).columns(['project_id', title]).unique().execute();

  await texts(make('access_key'), 'name', 'type', 'secret').execute();
  await named('access_key', 'name');
  await reference(texts(make('repository'), 'name', 'git_url', 'git_branch'), 'ssh_key_id', 'access_key').execute();
  await named('repository', 'name');
  await optional(
    reference(texts(make('inventory'), 'name', 'type', 'inventory'), 'ssh_key_id', 'access_key'),
    'become_key_id',
    'access_key',
  ).execute();
  await named('inventory', 'name');
  await texts(make('environment'), 'name', 'json', 'env').execute();
  await named('environment', 'name');
  await texts(make('view'), 'title')
    .addColumn('position', 'integer', (c) => c.notNull())
    .execute();
  await named('view', 'title');
};

const templates = async (db: Kysely<unknown>, columns: Columns): Promise<void> => {
  let table = ofProject(withId(db.schema.createTable('template') as unknown as Table, columns));
  table = texts(table, 'name', 'description', 'type', 'playbook', 'arguments', 'survey_vars');
  for (const [name, to] of [
    ['inventory_id', 'inventory'],
    ['environment_id', 'environment'],
    ['repository_id', 'repository'],
  ] as const) {
    table = reference(table, name, to);
  }
  table = optional(table, 'vault_key_id', 'access_key');
  table = table.addColumn('view_id', 'integer', (c) => c.references('view.id').onDelete('set null'));
  table = optional(table, 'build_template_id', 'template');
  table = flags(table, 'autorun', 'suppress_success_alerts', 'allow_override_args_in_task', 'allow_parallel_tasks');
  await table
    .addColumn('start_version', 'text')
    .addColumn('last_task_id', 'integer')
    .addColumn('launches', 'integer', (c) => c.notNull().defaultTo(0))
    .execute();
  await db.schema.createIndex('template_name').on('template').columns(['project_id', 'name']).unique().execute();
};

const tasks = async (db: Kysely<unknown>, columns: Columns): Promise<void> => {
  await flags(
    texts(withId(db.schema.createTable('runner') as unknown as Table, columns), 'name', 'token_hash', 'created'),
  )
    .addColumn('slots', 'integer', (c) => c.notNull())
    .addColumn('beats', sql.raw(columns.long), (c) => c.notNull().defaultTo(0))
    .execute();
  await db.schema.createIndex('runner_token').on('runner').column('token_hash').unique().execute();

  let table = ofProject(withId(db.schema.createTable('task') as unknown as Table, columns));
  table = table
    .addColumn('template_id', 'integer', (c) => c.notNull().references('template.id').onDelete('cascade'))
    .addColumn('user_id', 'integer', (c) => c.references('users.id').onDelete('set null'))
    .addColumn('build_task_id', 'integer', (c) => c.references('task.id').onDelete('set null'))
    .addColumn('runner_id', 'integer', (c) => c.references('runner.id').onDelete('set null'))
    .addColumn('epoch', 'integer', (c) => c.notNull().defaultTo(0));
  table = texts(
    table,
    'status',
    'message',
    'tpl_type',
    'tpl_alias',
    'tpl_playbook',
    'arguments',
    'environment',
    'limit_hosts',
    'created',
  );
  await flags(table, 'debug', 'dry_run', 'diff')
    .addColumn('version', 'text')
    .addColumn('start_time', 'text')
    .addColumn('end_time', 'text')
    .addColumn('commit_hash', 'text')
    .addColumn('commit_message', 'text', (c) => c.notNull().defaultTo(''))
    .execute();
  await db.schema.createIndex('task_project').on('task').columns(['project_id', 'id']).execute();
  await db.schema.createIndex('task_template').on('task').columns(['template_id', 'id']).execute();
  await db.schema.createIndex('task_build').on('task').columns(['build_task_id']).execute();
  // Dispatch reads only these few rows, however many tasks are stored.
  await sql`create index task_live on task (project_id, template_id, status) where ${LIVE}`.execute(db);
};

const events = async (db: Kysely<unknown>, columns: Columns): Promise<void> => {
  await texts(
    withId(db.schema.createTable('event') as unknown as Table, columns),
    'object_type',
    'object_name',
    'description',
    'address',
    'created',
  )
    .addColumn('user_id', 'integer', (c) => c.references('users.id').onDelete('set null'))
    .addColumn('project_id', 'integer', (c) => c.references('project.id').onDelete('cascade'))
    .addColumn('object_id', 'integer')
    .execute();
  await db.schema.createIndex('event_project').on('event').columns(['project_id', 'id']).execute();
};

/** Users, projects and their objects, tasks, runners and events. */
export const foundation = async (db: Kysely<unknown>, columns: Columns): Promise<void> => {
  await people(db, columns);
  await resources(db, columns);
  await templates(db, columns);
  await tasks(db, columns);
  await events(db, columns);
};
