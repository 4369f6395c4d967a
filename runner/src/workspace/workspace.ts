import { constants, existsSync } from 'node:fs';
import { chmod, lchown, mkdir, open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { removeTree } from '../files/remove-tree.ts';
import { restoreFolderAccess } from '../process/folder-access.ts';
import { giveTo, type ProcessUser } from '../process/process-user.ts';
import { runProgram } from '../process/program.ts';

const REMOVAL_MS = 10 * 60_000;

/** Where the runs of a runner have what their programs may see. */
export interface WorkspaceOptions {
  /** A folder that holds the places and nothing else. */
  root: string;
  /** Folders of Signalbox that the run user must be able to enter, `root` included. Default: none. */
  entered?: readonly string[];
  /** The user as whom the programs of runs are executed; undefined when that is this process's own. */
  user: ProcessUser | undefined;
  /** For the programs that give files away and remove them. */
  env: Record<string, string>;
}

/** Makes the folder of all places. With a user of their own it can be entered, but not listed, by others. */
export const makeWorkspaces = async ({ root, user }: WorkspaceOptions): Promise<void> => {
  const mode = user === undefined ? 0o700 : 0o711;
  await mkdir(root, { recursive: true, mode });
  const folder = await open(root, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
  await folder.chmod(mode).finally(() => folder.close());
};

/**
 * The part of a run that its programs see: the checkout, the secrets in use, a temporary folder, and the file that the
 * callback plugin writes. It lies apart from what the runner itself keeps, because it may belong to another user, who can
 * put anything in it: from then on nothing here is followed or believed.
 */
export class Workspace {
  readonly path: string;
  readonly #options: WorkspaceOptions;

  constructor(options: WorkspaceOptions, name: string) {
    this.path = join(options.root, name);
    this.#options = options;
  }

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

  /** What the user's programs see as theirs: of a user without a home it is this place. */
  environment(base: Record<string, string>): Record<string, string> {
    if (!this.user) return base;
    return { ...base, HOME: this.user.home ?? this.path, USER: this.user.name, LOGNAME: this.user.name };
  }

  /**
   * @returns the parent folders whose mode was repaired
   * @throws UserFault when the run user cannot reach the folder
   */
  async create(): Promise<string[]> {
    const { user, entered = [], root, env } = this.#options;
    const repaired = user ? await restoreFolderAccess(user, entered, root, env) : [];
    for (const folder of [this.path, this.secrets, this.temporary])
      await mkdir(folder, { recursive: true, mode: 0o700 });
    return repaired;
  }

  /** Hands all that is in it over to the user. Before the user's first program only. */
  async giveToRunUser(signal: AbortSignal | undefined): Promise<void> {
    if (this.user) await giveTo(this.user, [this.path], this.#options.env, signal);
  }

  /** Takes it back from the user, whose other runs could read what stays in it. */
  async reclaim(): Promise<void> {
    const [uid, gid] = [process.getuid?.(), process.getgid?.()];
    if (!this.user || uid === undefined || gid === undefined || !existsSync(this.path)) return;
    // Nobody else can put anything in its stead: the folder above is ours.
    await lchown(this.path, uid, gid);
    await chmod(this.path, 0o700);
  }

  /** Removes it, or some of what lies directly in it. */
  async remove(...paths: string[]): Promise<void> {
    if (!this.user) {
      for (const path of paths) await removeTree(path);
      return;
    }
    await this.#rm(paths);
  }

  /** Removes something that lies deeper. Its user could have put a link in the way: it leads to what is that user's anyway. */
  async removeAsRunUser(path: string): Promise<void> {
    if (this.user) await this.#rm([path], this.user);
    else await removeTree(path);
  }

  async #rm(paths: readonly string[], user?: ProcessUser): Promise<void> {
    // Unlike Node, rm goes down by descriptors: what another user swaps for a link meanwhile leads it nowhere.
    const { env } = this.#options;
    const end = await runProgram('rm', ['-rf', '--', ...paths], { env, timeoutMs: REMOVAL_MS, user });
    if (end.code !== 0) throw new Error(`rm failed: ${end.stderr.trim().slice(0, 500)}`);
  }
}

/** The names of all places that there are. */
export const listWorkspaces = ({ root }: WorkspaceOptions): Promise<string[]> => readdir(root);
