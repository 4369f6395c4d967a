import { onTestFinished } from 'vitest';
import { openState } from '../../composition/storage.ts';
import { readConfig } from '../../config.ts';
import type { Database } from '../../database/database.ts';
import { HostNames } from '../../secrets/host-names.ts';
import type { MakeLocation, TestLocation } from './databases.ts';

export const NOW = '2026-11-21T10:00:00.000Z';

/** The names of hosts, with the key of every test. */
export const hostNames = new HostNames(Buffer.alloc(32));

export const openQueue = async (location: TestLocation): Promise<Database> => {
  const config = readConfig({
    SIGNALBOX_DATA: location.folder,
    ...(location.databaseUrl ? { DATABASE_URL: location.databaseUrl } : {}),
  });
  const database = await openState(config, () => undefined);
  onTestFinished(() => database.close());
  return database;
};

/** The values of a waiting task. */
export interface Given {
  readonly app?: string;
  readonly tags?: readonly string[];
  readonly priority?: number;
}

/** A new database, and functions that insert rows with only the values that a claim reads. */
export const newQueue = async (makeLocation: MakeLocation) => {
  const location = await makeLocation();
  const database = await openQueue(location);
  const db = database.autocommit;
  const runner = async (tokenHash: string, slots: number, tags: readonly string[] = []) => {
    const row = { name: tokenHash, token_hash: tokenHash, slots, tags: JSON.stringify(tags), created: NOW };
    const { id } = await db.insertInto('runner').values(row).returning('id').executeTakeFirstOrThrow();
    await db.updateTable('runner').set({ connection: tokenHash }).where('id', '=', id).execute();
    return { runnerId: id, tokenHash, slots, apps: ['ansible'], hostNames };
  };
  const project = async (limit: number) => {
    const input = { name: 'P', alert: 0 as const, alert_chat: '', max_parallel_tasks: limit, created: NOW };
    const { id } = await db.insertInto('project').values(input).returning('id').executeTakeFirstOrThrow();
    const key = await db
      .insertInto('access_key')
      .values({ project_id: id, name: 'K', type: 'none', secret: '' })
      .returning('id')
      .executeTakeFirstOrThrow();
    const repository = await db
      .insertInto('repository')
      .values({ project_id: id, name: 'R', git_url: '/r', git_branch: '', ssh_key_id: key.id })
      .returning('id')
      .executeTakeFirstOrThrow();
    const inventory = await db
      .insertInto('inventory')
      .values({ project_id: id, name: 'I', type: 'static', inventory: '', ssh_key_id: key.id, become_key_id: null })
      .returning('id')
      .executeTakeFirstOrThrow();
    const environment = await db
      .insertInto('environment')
      .values({ project_id: id, name: 'E', json: '{}', env: '{}' })
      .returning('id')
      .executeTakeFirstOrThrow();
    return { id, repository: repository.id, inventory: inventory.id, environment: environment.id };
  };
  type Project = Awaited<ReturnType<typeof project>>;
  const template = async (of: Project, parallel = false): Promise<number> => {
    const row = {
      project_id: of.id,
      name: Math.random().toString(36),
      description: '',
      type: '' as const,
      playbook: 'p.yml',
      inventory_id: of.inventory,
      environment_id: of.environment,
      repository_id: of.repository,
      vault_key_id: null,
      view_id: null,
      start_version: null,
      build_template_id: null,
      autorun: 0 as const,
      suppress_success_alerts: 0 as const,
      arguments: '[]',
      allow_override_args_in_task: 0 as const,
      allow_parallel_tasks: parallel ? (1 as const) : (0 as const),
      survey_vars: '[]',
      last_task_id: null,
    };
    return (await db.insertInto('template').values(row).returning('id').executeTakeFirstOrThrow()).id;
  };
  const row = (of: Project, templateId: number, given: Given = {}) => {
    const { app = 'ansible', tags = [], priority = 0 } = given;
    return {
      project_id: of.id,
      app: app as 'ansible',
      runner_tags: JSON.stringify(tags),
      priority,
      template_id: templateId,
      user_id: null,
      status: 'waiting' as const,
      message: '',
      version: null,
      tpl_type: '' as const,
      tpl_alias: '',
      tpl_playbook: '',
      build_task_id: null,
      arguments: '[]',
      environment: '{}',
      limit_hosts: '',
      debug: 0 as const,
      dry_run: 0 as const,
      diff: 0 as const,
      created: NOW,
      commit_hash: null,
    };
  };
  const task = async (...input: Parameters<typeof row>): Promise<number> => {
    return (
      await db
        .insertInto('task')
        .values(row(...input))
        .returning('id')
        .executeTakeFirstOrThrow()
    ).id;
  };
  const end = (id: number) => db.updateTable('task').set({ status: 'success' }).where('id', '=', id).execute();
  return { location, database, runner, project, template, row, task, end };
};
