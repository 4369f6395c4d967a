import { type Kysely, sql } from 'kysely';

const AT = '2026-01-02T03:04:05.678Z';
const LATER = '2026-01-02T03:05:06.789Z';

/** Inserts rows with SQL in the shape of the first release, independent of later versions of the code. */
const insert = async (db: Kysely<never>, table: string, rows: readonly Record<string, unknown>[]): Promise<void> => {
  for (const row of rows) {
    const columns = sql.join(Object.keys(row).map((name) => sql.ref(name)));
    await sql`insert into ${sql.table(table)} (${columns}) values (${sql.join(Object.values(row))})`.execute(db);
  }
};

const person = (username: string, admin: 0 | 1) => ({
  username,
  username_key: username.toLowerCase(),
  name: `${username} Ünal`,
  email: `${username}@example.com`,
  email_key: `${username.toLowerCase()}@example.com`,
  password_hash: '$argon2id$v=19$m=19456,t=2,p=1$c2FsdA$aGFzaA',
  created: AT,
  admin,
  alert: 0,
  external: 0,
  can_create_project: admin,
  billing: 0,
});

const template = (name: string, values: object) => ({
  project_id: 1,
  name,
  description: `What ${name} does`,
  type: '',
  playbook: 'site.yml',
  arguments: '["--diff"]',
  survey_vars: '[{"name":"count","title":"How many","description":"","type":"int","required":true}]',
  inventory_id: 1,
  environment_id: 1,
  repository_id: 1,
  vault_key_id: 2,
  view_id: 1,
  autorun: 0,
  suppress_success_alerts: 1,
  allow_override_args_in_task: 0,
  allow_parallel_tasks: 0,
  ...values,
});

const task = (status: string, values: object) => ({
  project_id: 1,
  template_id: 1,
  user_id: 1,
  status,
  message: `is ${status}; 'quoted' "twice" \\ and ünïcödé`,
  tpl_type: 'build',
  tpl_alias: 'Build',
  tpl_playbook: 'site.yml',
  arguments: '[]',
  environment: '{"count":3}',
  limit_hosts: '',
  created: AT,
  debug: 0,
  dry_run: 1,
  diff: 0,
  ...values,
});

const people = async (db: Kysely<never>): Promise<void> => {
  await insert(db, 'users', [person('Ana', 1), person('Bo', 0)]);
  await insert(db, 'session', [{ user_id: 1, token_hash: 'a hash', created: AT, expires: LATER, address: '::1' }]);
  await insert(db, 'project', [
    { name: 'Shop', alert: 1, alert_chat: '@shop', created: AT, max_parallel_tasks: 3 },
    { name: 'Empty', alert: 0, alert_chat: '', created: LATER },
  ]);
  await insert(db, 'project_user', [
    { project_id: 1, user_id: 1, role: 'owner' },
    { project_id: 1, user_id: 2, role: 'task_runner' },
  ]);
};

const resources = async (db: Kysely<never>): Promise<void> => {
  const named = (name: string, values: object) => ({ project_id: 1, name, ...values });
  await insert(db, 'access_key', [
    named('None', { type: 'none', secret: '' }),
    named('Vault', { type: 'login_password', secret: 'v1:sealed' }),
  ]);
  await insert(db, 'repository', [
    named('Playbooks', { git_url: 'https://git.example/a.git', git_branch: 'main', ssh_key_id: 1 }),
  ]);
  await insert(db, 'inventory', [
    named('Hosts', { type: 'static', inventory: 'web-01\nweb-02', ssh_key_id: 1, become_key_id: 2 }),
  ]);
  await insert(db, 'environment', [named('Live', { json: '{"a":[1,{"b":null}]}', env: '{"A":"1"}' })]);
  await insert(db, 'view', [{ project_id: 1, title: 'Deploys', position: 0 }]);
  await insert(db, 'template', [
    template('Build', { type: 'build', start_version: '1.0.0', last_task_id: 7, launches: 7 }),
    template('Deploy', { type: 'deploy', build_template_id: 1, autorun: 1, vault_key_id: null, view_id: null }),
  ]);
};

const tasks = async (db: Kysely<never>): Promise<void> => {
  await insert(db, 'runner', [{ name: 'local', token_hash: 'a hash', created: AT, slots: 10, beats: 5_000_000_000 }]);
  const ended = { start_time: AT, end_time: LATER, runner_id: 1, epoch: 1 };
  await insert(db, 'task', [
    task('success', { ...ended, version: '1.0.0', commit_hash: 'a'.repeat(40), commit_message: 'Fix it' }),
    task('error', { ...ended, version: '1.0.1', user_id: null }),
    task('stopped', { end_time: LATER, version: '1.0.2' }),
    task('stopping', { start_time: AT, runner_id: 1, epoch: 2, version: '1.0.3' }),
    task('running', { start_time: AT, runner_id: 1, epoch: 1, template_id: 2, tpl_type: 'deploy', build_task_id: 1 }),
    task('starting', { start_time: AT, runner_id: 1, epoch: 1, version: '1.0.4' }),
    task('waiting', { version: '1.0.5' }),
  ]);
};

const events = async (db: Kysely<never>): Promise<void> => {
  const event = { object_type: 'task', object_name: 'Build', address: '127.0.0.1', created: AT };
  await insert(db, 'event', [
    { ...event, user_id: 1, project_id: 1, object_id: 1, description: 'Task #1 of Build succeeded' },
    { ...event, user_id: null, project_id: null, object_id: null, description: 'A text without a kind' },
  ]);
};

/** Inserts at least one row into every table of the first step, `0001-foundation`. */
export const fillFoundation = async (db: Kysely<never>): Promise<void> => {
  await people(db);
  await resources(db);
  await tasks(db);
  await events(db);
};

/** Inserts rows into the tables of `0001-logs`. */
export const fillFoundationLogs = async (db: Kysely<never>): Promise<void> => {
  const head = { epoch: 1, next_line: 3, offset: 6_000_000_000, next_result: 2, loose_bytes: 0, sealed: 1 };
  await insert(db, 'log_head', [
    { task_id: 1, ...head },
    { task_id: 5, ...head, sealed: 0, loose_bytes: 12 },
  ]);
  const block = { task_id: 1, stream: 'output', first: 1, count: 2, kind: 'packed', data: Buffer.from([0, 255, 10]) };
  await insert(db, 'log_block', [
    block,
    { ...block, stream: 'results', count: 1 },
    { ...block, task_id: 5, kind: 'loose' },
  ]);
};
