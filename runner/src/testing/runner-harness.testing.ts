import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { AnsibleJob } from '../apps/ansible/ansible-job.ts';
import { type NodeProgram, startNode } from '../process/node-program.testing.ts';
import { LinkServer } from './link-server.testing.ts';

const MAIN = join(import.meta.dirname, '..', 'main.ts');
export const TEST_PATH = '/usr/local/bin:/usr/bin:/bin';

/** Line of an inventory for a host that is this machine. Ansible does not spend time on searching its Python. */
export const localHost = (name: string) =>
  `${name} ansible_connection=local ansible_python_interpreter=/usr/bin/python3\n`;

/** A runner in its own folder, its server, and a local folder of playbooks. */
export class RunnerHarness {
  readonly folder = mkdtempSync(join(tmpdir(), 'signalbox-runner-'));
  readonly repository = join(this.folder, 'repository');
  readonly data = join(this.folder, 'data');
  readonly server = new LinkServer(join(this.folder, 'runner.sock'));
  readonly #programs: NodeProgram[] = [];

  constructor(files: Record<string, string>) {
    mkdirSync(this.repository);
    writeFileSync(join(this.folder, 'token'), 'test-token\n', { mode: 0o600 });
    this.write(files);
  }

  /** Turns the folder of the playbook into a git repository with one commit. */
  commitAll(message: string): void {
    const git = (...args: string[]) =>
      execFileSync('git', ['-C', this.repository, '-c', 'user.name=T', '-c', 'user.email=t@example.com', ...args]);
    git('init', '--quiet', '--initial-branch=main');
    git('add', '.');
    git('commit', '--quiet', '-m', message);
  }

  write(files: Record<string, string>): void {
    for (const [name, text] of Object.entries(files)) {
      const path = join(this.repository, name);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, text);
    }
  }

  async startRunner(more: Record<string, string> = {}): Promise<NodeProgram> {
    const program = await startNode(MAIN, {
      PATH: TEST_PATH,
      HOME: this.folder,
      SIGNALBOX_SERVER: `unix:${this.server.socketPath}`,
      SIGNALBOX_RUNNER_TOKEN_FILE: join(this.folder, 'token'),
      SIGNALBOX_RUNNER_DATA: this.data,
      SIGNALBOX_LOCAL_REPOSITORY_ROOTS: this.folder,
      // Tests of containers name an engine. The others need not wait for the first container.
      SIGNALBOX_CONTAINER_ENGINE: 'none',
      ...more,
    });
    this.#programs.push(program);
    return program;
  }

  job(task_id: number, change: Partial<AnsibleJob> = {}): AnsibleJob {
    return {
      app: 'ansible',
      task_id,
      epoch: 1,
      project_id: 1,
      template_name: 'Test',
      registry_access: { type: 'none' },
      repository: { id: 1, url: this.repository, branch: '', access: { type: 'none' } },
      commit: null,
      playbook: 'site.yml',
      inventory: {
        type: 'static',
        inventory: localHost('one') + localHost('two'),
        access: { type: 'none' },
        become: null,
      },
      execution_environment: { kind: 'system' },
      vault_password: null,
      vault_passwords: [],
      extra_variables: {},
      answers: {},
      task_details: { id: task_id },
      process_environment: {},
      secret_variables: {},
      secret_environment: {},
      max_duration: 0,
      arguments: [],
      locked_hosts: null,
      limit: '',
      debug: false,
      dry_run: false,
      facts: true,
      diff: false,
      ...change,
    };
  }

  /** Names of the existing run folders. */
  get runFolders(): string[] {
    const runs = join(this.data, 'runs');
    return existsSync(runs) ? readdirSync(runs) : [];
  }

  /** A path in the folder of a run with epoch 1. */
  inRun = (id: number, ...names: string[]): string => join(this.data, 'runs', `${id}-1`, ...names);

  /** Resolves when no run has a folder. */
  async emptied(): Promise<void> {
    await this.server.until(() => this.runFolders.length === 0, 'an empty folder');
  }

  async close(): Promise<void> {
    for (const program of this.#programs) program.kill('SIGKILL');
    await Promise.all(this.#programs.map((program) => program.exited));
    await this.server.close().catch(() => undefined);
    rmSync(this.folder, { recursive: true, force: true });
  }
}
