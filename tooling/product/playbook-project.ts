import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { BodyInput, RouteTable, Task } from '@signalbox/contract';
import type { ApiClient } from './api-client.ts';
import { until } from './product.ts';

type TemplateBody = BodyInput<RouteTable['createTemplate']>;
type Resources = Pick<TemplateBody, 'inventory_id' | 'environment_id' | 'repository_id'>;

/** A git repository with these files, on a branch `main`. */
export const makeRepository = (files: Readonly<Record<string, string>>): string => {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-playbooks-'));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=Test', '-c', 'user.email=test@example.com', ...args], {
      cwd: folder,
      stdio: 'pipe',
    });
  git('init', '-q', '-b', 'main');
  git('add', '.');
  git('commit', '-q', '-m', 'Add the playbooks');
  return folder;
};

/** A project that runs the playbooks of one local repository on this machine. */
export class PlaybookProject {
  readonly client: ApiClient;
  readonly params: { readonly project_id: number };
  readonly #resources: Resources;
  readonly #keyId: number;

  private constructor(client: ApiClient, projectId: number, resources: Resources, keyId: number) {
    this.client = client;
    this.#keyId = keyId;
    this.params = { project_id: projectId };
    this.#resources = resources;
  }

  static async create(
    client: ApiClient,
    name: string,
    files: Readonly<Record<string, string>>,
  ): Promise<PlaybookProject> {
    const { id } = await client.call('createProject', { body: { name } });
    const params = { project_id: id };
    const key = await client.call('createKey', { params, body: { name: 'None', type: 'none' } });
    const repository = await client.call('createRepository', {
      params,
      body: { name: 'Playbooks', git_url: makeRepository(files), git_branch: 'main', ssh_key_id: key.id },
    });
    const inventory = await client.call('createInventory', {
      params,
      body: {
        name: 'This machine',
        type: 'static',
        inventory: 'localhost ansible_connection=local ansible_python_interpreter="{{ ansible_playbook_python }}"\n',
        ssh_key_id: key.id,
      },
    });
    const environment = await client.call('createEnvironment', { params, body: { name: 'Empty' } });
    const resources = { inventory_id: inventory.id, environment_id: environment.id, repository_id: repository.id };
    return new PlaybookProject(client, id, resources, key.id);
  }

  /** Creates an inventory. @returns its id */
  async inventory(text: string, name = 'Other hosts'): Promise<number> {
    const body = { name, type: 'static' as const, inventory: text, ssh_key_id: this.#keyId };
    return (await this.client.call('createInventory', { params: this.params, body })).id;
  }

  /** The same project as another server has it, such as one that was restored. */
  static at(client: ApiClient, project: PlaybookProject): PlaybookProject {
    return new PlaybookProject(client, project.params.project_id, project.#resources, project.#keyId);
  }

  async template(playbook: string, values: Partial<TemplateBody> = {}): Promise<number> {
    const body = {
      name: `${playbook} ${Math.random().toString(36).slice(2, 8)}`,
      playbook,
      ...this.#resources,
      ...values,
    };
    return (await this.client.call('createTemplate', { params: this.params, body })).id;
  }

  run(templateId: number, values: Partial<BodyInput<RouteTable['createTask']>> = {}): Promise<Task> {
    return this.client.call('createTask', { params: this.params, body: { template_id: templateId, ...values } });
  }

  task(id: number): Promise<Task> {
    return this.client.call('getTask', { params: { ...this.params, task_id: id } });
  }

  /** The task once it has ended. While the server is away, it is asked again. */
  ended(id: number, timeoutMs = 60_000): Promise<Task> {
    return until(
      `the end of task ${id}`,
      async () => {
        const task = await this.task(id).catch(() => undefined);
        return task && ['success', 'error', 'stopped'].includes(task.status) ? task : undefined;
      },
      timeoutMs,
    );
  }

  /** The text of every line of a log, without the prefix `[signalbox] `. */
  async log(id: number): Promise<string[]> {
    return (await this.rawLog(id)).map((line) => line.replace(/^\[signalbox\] /, ''));
  }

  /** The lines of the raw text, in which those that Signalbox wrote begin with `[signalbox] `. */
  async rawLog(id: number): Promise<string[]> {
    const text = await this.client.call('getTaskText', { params: { ...this.params, task_id: id } });
    return String(text).split('\n').slice(0, -1);
  }
}
