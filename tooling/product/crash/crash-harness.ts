import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Task } from '@signalbox/contract';
import type { ApiClient } from '../api-client.ts';
import { CallRefused } from '../api-client.ts';
import { makeRepository, PlaybookProject } from '../playbook-project.ts';
import { Product, signalIfThere } from '../product.ts';
import type { Kind } from './plan.ts';
import { galaxyFolder, playbooks } from './playbooks.ts';
import { ProcessWatch } from './process-watch.ts';

/** Files of a commit that a run of the kind `heavy` has to fetch, and their size in bytes. */
const HEAVY_FILES = 40;
const HEAVY_BYTES = 10_000;

const git = (folder: string, ...args: string[]): void => {
  execFileSync('git', ['-c', 'user.name=Test', '-c', 'user.email=test@example.com', ...args], {
    cwd: folder,
    stdio: 'pipe',
  });
};

/** A role in an archive, as a server of roles would give it. */
const makeArchive = (folder: string): string => {
  mkdirSync(join(folder, 'crash-role', 'meta'), { recursive: true });
  mkdirSync(join(folder, 'crash-role', 'tasks'));
  const meta = 'galaxy_info:\n  author: test\n  description: test\n  license: MIT\n  min_ansible_version: "2.9"\n';
  writeFileSync(join(folder, 'crash-role', 'meta', 'main.yml'), `${meta}dependencies: []\n`);
  writeFileSync(join(folder, 'crash-role', 'tasks', 'main.yml'), '[]\n');
  const archive = join(folder, 'crash-role.tar.gz');
  execFileSync('tar', ['-czf', archive, '-C', folder, 'crash-role']);
  return archive;
};

const makeKey = (folder: string): string => {
  const file = join(folder, 'key');
  execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', file]);
  return readFileSync(file, 'utf8');
};

/** A part of the secrets, which no run may leave on the disk. */
export const CANARY = `canary-${randomBytes(8).toString('hex')}`;

/** The product with everything that the runs need, and a separate folder in which playbooks record their starts. */
export class CrashHarness {
  readonly product: Product;
  readonly watch: ProcessWatch;
  readonly project: PlaybookProject;
  readonly key: string;
  readonly #folder: string;
  readonly #heavy: string;
  readonly #templates = new Map<string, Promise<number>>();
  readonly #values: { environment_id: number; inventory_id: number };
  readonly #heavyRepository: number;
  #restarting: Promise<void> | undefined;

  private constructor(
    product: Product,
    project: PlaybookProject,
    values: { environment_id: number; inventory_id: number },
    repository: { id: number; folder: string },
    files: { folder: string; key: string },
  ) {
    this.product = product;
    this.project = project;
    this.watch = new ProcessWatch(product.folder);
    this.key = files.key;
    this.#values = values;
    this.#folder = files.folder;
    this.#heavy = repository.folder;
    this.#heavyRepository = repository.id;
  }

  /** @param numbers the runs that need requirements of their own */
  static async open(slots: number, numbers: readonly number[]): Promise<CrashHarness> {
    const folder = mkdtempSync(join(tmpdir(), 'signalbox-crash-'));
    const starts = join(folder, 'starts');
    mkdirSync(starts);
    const archive = makeArchive(folder);
    const product = await Product.start({ SIGNALBOX_RUNNER_SLOTS: String(slots) });
    const client = await product.client();
    const own = Object.assign({}, ...numbers.map((number) => galaxyFolder(starts, number, archive)));
    const project = await PlaybookProject.create(client, 'Crash', { ...playbooks(starts), ...own });
    const key = makeKey(folder);
    const { params } = project;
    const sshKey = await client.call('createKey', {
      params,
      body: { name: 'Crash', type: 'ssh', ssh: { login: 'deploy', private_key: key } },
    });
    const inventory = await client.call('createInventory', {
      params,
      body: {
        name: 'With a key',
        type: 'static',
        inventory: 'localhost ansible_connection=local ansible_python_interpreter="{{ ansible_playbook_python }}"\n',
        ssh_key_id: sshKey.id,
      },
    });
    const environment = await client.call('createEnvironment', {
      params,
      body: { name: 'Secret', secrets: [{ operation: 'create', name: 'crash_secret', type: 'var', secret: CANARY }] },
    });
    const heavy = makeRepository({ 'heavy.yml': playbooks(starts)['heavy.yml'] ?? '' });
    const none = await client.call('createKey', { params, body: { name: 'No key', type: 'none' } });
    const repository = await client.call('createRepository', {
      params,
      body: { name: 'Heavy', git_url: heavy, git_branch: 'main', ssh_key_id: none.id },
    });
    await product.runnerReady(client);
    const values = { environment_id: environment.id, inventory_id: inventory.id };
    return new CrashHarness(product, project, values, { id: repository.id, folder: heavy }, { folder, key });
  }

  /** Returns the template of a kind, which is created once; with requirements, once for each run. */
  template(kind: Kind, number: number): Promise<number> {
    const name = kind === 'galaxy' ? `galaxy-${number}/site.yml` : `${kind}.yml`;
    const known = this.#templates.get(name);
    if (known) return known;
    const made = this.#makeTemplate(kind, name);
    this.#templates.set(name, made);
    return made;
  }

  async #makeTemplate(kind: Kind, playbook: string): Promise<number> {
    const values = { ...this.#values, allow_parallel_tasks: kind !== 'queued' };
    const make = (more: Parameters<PlaybookProject['template']>[1], file = playbook) =>
      this.patiently(() => this.project.template(file, { ...values, ...more }));
    if (kind === 'heavy') return await make({ repository_id: this.#heavyRepository });
    if (kind !== 'build') return await make({});
    const build = await make({ type: 'build', start_version: '1.0.0' });
    await make({ type: 'deploy', build_template_id: build, autorun: true }, 'short.yml');
    return build;
  }

  /** Commits large files, which the next run of the kind `heavy` has to fetch. */
  commitMuch(): void {
    for (let file = 0; file < HEAVY_FILES; file++)
      writeFileSync(join(this.#heavy, `file-${file}`), randomBytes(HEAVY_BYTES));
    git(this.#heavy, 'add', '.');
    git(this.#heavy, 'commit', '-q', '-m', 'Change everything');
  }

  /** Repeats a call while the server is unavailable. A call whose answer was lost may have had an effect. */
  async patiently<T>(call: () => Promise<T>): Promise<T> {
    for (const until = performance.now() + 60_000; ; ) {
      try {
        return await call();
      } catch (error) {
        const isAway = !(error instanceof CallRefused) || error.status === 503;
        if (!isAway || performance.now() > until) throw error;
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
    }
  }

  get client(): ApiClient {
    return this.project.client;
  }

  /** How often the playbook of a task recorded its start. */
  startsOf(taskId: number): number {
    const file = join(this.#folder, 'starts', String(taskId));
    return existsSync(file) ? readFileSync(file, 'utf8').split('\n').length - 1 : 0;
  }

  /** Kills and restarts the server. Returns false if it is down already. */
  async killServer(): Promise<boolean> {
    if (this.#restarting) return false;
    this.#restarting = this.product.killServer().then(() => this.product.startServer());
    await this.#restarting;
    this.#restarting = undefined;
    return true;
  }

  killRunner(): boolean {
    const pid = this.product.runnerPid;
    return pid !== undefined && signalIfThere(pid, 'SIGKILL');
  }

  /** Waits for the end of a task. @throws when it takes longer than `limitMs` */
  ended(taskId: number, limitMs: number): Promise<Task> {
    return this.project.ended(taskId, limitMs);
  }

  async dispose(): Promise<void> {
    this.watch.stop();
    await this.#restarting?.catch(() => undefined);
    await this.product.dispose();
    rmSync(this.#folder, { recursive: true, force: true });
    rmSync(this.#heavy, { recursive: true, force: true });
  }
}
