import { constants, existsSync } from 'node:fs';
import { chmod, lchown, mkdir, open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { removeTree } from '../files/remove-tree.ts';
import { WritableFolder } from '../files/writable-folder.ts';
import { restoreFolderAccess } from '../process/folder-access.ts';
import { changeOwner } from '../process/process-user.ts';
import { runProgram } from '../process/program.ts';
import type { ProcessUser } from '../process/user.ts';

const REMOVAL_MS = 10 * 60_000;

/** Settings of all workspaces of a runner. */
export interface WorkspaceOptions {
  /** A folder that holds the workspaces and nothing else. */
  root: string;
  /** Folders of Signalbox that the run user must be able to enter, `root` included. Default: none. */
  entered?: readonly string[];
  /** The user as whom the programs of runs are executed; undefined if they run as the user of this process. */
  user: ProcessUser | undefined;
  /** The environment of the programs that change owners and remove files. */
  env: Record<string, string>;
}

/** Creates the folder of all workspaces. If there is a run user, others can enter this folder but not list it. */
export const makeWorkspaces = async ({ root, user }: WorkspaceOptions): Promise<void> => {
  const mode = user === undefined ? 0o700 : 0o711;
  await mkdir(root, { recursive: true, mode });
  const folder = await open(root, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
  await folder.chmod(mode).finally(() => folder.close());
};

/**
 * The part of a run that its programs see: the checkout, the secrets in use, a temporary folder, and the file of the
 * reported events. It is separate from what the runner itself keeps of the run, because it may belong to the run user, who
 * can put anything there: after its release the runner follows no link in it and trusts no file.
 */
export class Workspace {
  readonly path: string;
  readonly #options: WorkspaceOptions;

  constructor(options: WorkspaceOptions, name: string) {
    this.path = join(options.root, name);
    this.#options = options;
  }

  /** The run user; undefined without one. */
  get user(): ProcessUser | undefined {
    return this.#options.user;
  }
  get checkout() {
    return join(this.path, 'checkout');
  }
  /** Keys, passwords and variables, each in a file of mode 0600. */
  get secrets() {
    return join(this.path, 'secrets');
  }
  get temporary() {
    return join(this.path, 'tmp');
  }
  get events() {
    return join(this.path, 'events.jsonl');
  }
  /** Exists if the kernel killed a process of a container for its memory limit. */
  get outOfMemory() {
    return join(this.path, 'out-of-memory');
  }

  /** The environment of programs of the run. A run user without a home has the workspace as home. */
  environment(base: Record<string, string>): Record<string, string> {
    if (!this.user) return base;
    return { ...base, HOME: this.user.home ?? this.path, USER: this.user.name, LOGNAME: this.user.name };
  }

  /**
   * Creates the folders.
   * @returns the workspace to write to, and the parent folders whose mode was repaired
   * @throws FolderAccessError when the run user cannot reach the folder
   */
  async create(): Promise<{ owned: OwnedWorkspace; repaired: string[] }> {
    const { user, entered = [], root, env } = this.#options;
    const repaired = user ? await restoreFolderAccess(user, entered, root, env) : [];
    for (const folder of [this.path, this.secrets, this.temporary])
      await mkdir(folder, { recursive: true, mode: 0o700 });
    return { owned: new OwnedWorkspace(this, env), repaired };
  }

  /** Makes the workspace belong to the runner again, because other runs of the same user could read what remains in it. */
  async reclaim(): Promise<void> {
    const [uid, gid] = [process.getuid?.(), process.getgid?.()];
    if (!this.user || uid === undefined || gid === undefined || !existsSync(this.path)) return;
    // The folder above belongs to the runner, so no other user can replace this one.
    await lchown(this.path, uid, gid);
    await chmod(this.path, 0o700);
  }

  /** Removes the workspace, or some of its direct entries. */
  async remove(...paths: string[]): Promise<void> {
    if (!this.user) {
      for (const path of paths) await removeTree(path);
      return;
    }
    await this.removeAs(undefined, paths);
  }

  /**
   * Removes files with the program rm. Unlike Node, rm goes down by file descriptors, so that replacing a folder by a link
   * meanwhile leads it nowhere.
   */
  async removeAs(user: ProcessUser | undefined, paths: readonly string[]): Promise<void> {
    const { env } = this.#options;
    const end = await runProgram('rm', ['-rf', '--', ...paths], { env, timeoutMs: REMOVAL_MS, user });
    if (end.code !== 0) throw new Error(`rm failed: ${end.stderr.trim().slice(0, 500)}`);
  }
}

/** A new workspace whose files belong to the runner. No program of the run has been started. */
export class OwnedWorkspace {
  readonly paths: Workspace;
  readonly secrets: WritableFolder;
  /** Does not exist until the code is checked out. */
  readonly checkout: WritableFolder;
  readonly #env: Record<string, string>;
  readonly #close: () => void;

  constructor(paths: Workspace, env: Record<string, string>) {
    const { folder, release } = WritableFolder.untilReleased(paths.path);
    this.paths = paths;
    this.secrets = folder.folder('secrets');
    this.checkout = folder.folder('checkout');
    this.#env = env;
    this.#close = release;
  }

  /** Gives all files to the run user, once. After that nothing can be written, and programs of the run can be started. */
  async release(signal: AbortSignal | undefined): Promise<ReleasedWorkspace> {
    this.#close();
    const { user, path } = this.paths;
    if (user) await changeOwner(user, [path], this.#env, signal);
    return new ReleasedWorkspace(this.paths);
  }
}

/** A workspace that belongs to the run user. Programs of a run are started only in such a workspace. */
export class ReleasedWorkspace {
  readonly paths: Workspace;

  constructor(paths: Workspace) {
    this.paths = paths;
  }

  /**
   * Removes a path that is not a direct entry, with the rights of the run user: a link that this user put in the way leads
   * to files of the same user only.
   */
  async remove(path: string): Promise<void> {
    if (this.paths.user) await this.paths.removeAs(this.paths.user, [path]);
    else await removeTree(path);
  }
}

/** The names of all workspaces that exist. */
export const listWorkspaces = ({ root }: WorkspaceOptions): Promise<string[]> => readdir(root);
