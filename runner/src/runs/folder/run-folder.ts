import { existsSync, readFileSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { EndReason, JobSpec, RunVersions } from '@signalbox/contract/link';
import { z } from 'zod';
import { isResourceError } from '../../errors/resource-error.ts';
import { syncFile, writeDurably } from '../../files/durable-file.ts';
import type { RunFiles } from '../../output/run-files.ts';
import { type ProcessIdentity, parseIdentity } from '../../process/process-table.ts';
import { listWorkspaces, makeWorkspaces, Workspace, type WorkspaceOptions } from '../../workspace/workspace.ts';
import { type BootMoment, bootMoment } from '../processes/time-limit.ts';
import { ClosedJob, OldClosedJob } from './closed-job.ts';

/** How a run ended, as the supervisor writes it, or the runner if there was no supervisor. */
export const ExitRecord = z.object({
  reason: z.enum(['exited', 'stopped', 'not_started', 'repository', 'preparation', 'lost', 'disk', 'time_limit']),
  code: z.int().nullable(),
  signal: z.int().nullable(),
  /** Size of output.log at that moment, in bytes. Only lines of the runner follow. */
  bytes: z.int(),
  message: z.string().optional(),
  /** Why the run could not be prepared. The texts may contain secrets. */
  end_reason: EndReason.optional().catch(undefined),
  /** How long the program ran; missing if it was never started. */
  seconds: z.number().optional(),
  /** True if output was discarded because the disk was full. */
  cut: z.boolean().optional(),
  /** Process ids that the supervisor could not end, because the processes belong to another user. */
  left: z.array(z.int()).optional(),
});
export type ExitRecord = z.infer<typeof ExitRecord>;

/** The exit record of a run whose end is unknown. */
export const LOST_EXIT: ExitRecord = { reason: 'lost', code: null, signal: null, bytes: 0 };

const CommitRecord = z.object({ hash: z.string(), message: z.string() });
export type CommitRecord = z.infer<typeof CommitRecord>;

const StartRecord = z.object({ boot: z.string(), at: z.number() });

/** File names; earlier versions wrote the second one. */
const JOB_FILES = ['job.json', 'order.json'] as const;
const START_FILES = ['start.json', 'go'] as const;

const FOLDER_NAME = /^(\d{1,10})-(\d{1,15})$/;

/** The run to which the name of a folder belongs. */
const parseFolderName = (name: string): { task_id: number; epoch: number } | undefined => {
  const match = FOLDER_NAME.exec(name);
  return match ? { task_id: Number(match[1]), epoch: Number(match[2]) } : undefined;
};

/** Everything that is kept of one run, in a folder that only its owner can open. */
export class RunFolder implements RunFiles {
  readonly path: string;
  readonly task_id: number;
  readonly epoch: number;

  /** The part that the programs of the run see. */
  readonly workspace: Workspace;

  constructor(runs: string, workspaces: WorkspaceOptions, task_id: number, epoch: number) {
    const name = `${task_id}-${epoch}`;
    this.path = join(runs, name);
    this.workspace = new Workspace(workspaces, name);
    this.task_id = task_id;
    this.epoch = epoch;
  }

  readonly file = (name: string): string => join(this.path, name);
  get output() {
    return this.file('output.log');
  }
  get times() {
    return this.file('times.log');
  }
  /** The position up to which everything is stored on the server, see `ReadPosition`. */
  get position() {
    return this.file('position.json');
  }

  /** Writes the job, and what remains of it after the run, so that both survive a power failure. */
  async create(job: JobSpec, closed: ClosedJob): Promise<void> {
    await this.workspace.remove(this.workspace.path);
    await rm(this.path, { recursive: true, force: true });
    await mkdir(this.path, { recursive: true, mode: 0o700 });
    // The closed job comes first, so that every folder with a job has it.
    await this.writeClosedJob(closed);
    await writeDurably(this.file('job.json'), JSON.stringify(job));
    await syncFile(join(this.path, '..'));
  }

  /** The job; undefined if it was never written completely, or the run has ended. */
  readJob = () => this.readParsed(this.#first(JOB_FILES), JobSpec);
  hasJob = () => JOB_FILES.some((name) => existsSync(this.file(name)));

  writeClosedJob = (closed: ClosedJob) => writeDurably(this.file('closed-job.json'), JSON.stringify(closed));
  /** What is left of the job of a run that has ended; undefined for a folder that never held a run. */
  readClosedJob = (): ClosedJob | undefined =>
    this.wasPermitted() || this.readExit()
      ? (this.readParsed(this.file('closed-job.json'), ClosedJob) ??
        this.readParsed(this.file('sealed-order.json'), OldClosedJob))
      : undefined;

  /** Notes that the server permitted the start: from now on something may have been executed. */
  writeStart = () => writeDurably(this.file('start.json'), JSON.stringify(bootMoment()));
  wasPermitted = () => START_FILES.some((name) => existsSync(this.file(name)));
  /** When the server permitted the start. The time limit counts from here. */
  permittedAt = (): BootMoment | undefined => this.readParsed(this.#first(START_FILES), StartRecord);

  /** The first of some files that exists, else the first of them. */
  #first(names: readonly [string, ...string[]]): string {
    return this.file(names.find((name) => existsSync(this.file(name))) ?? names[0]);
  }

  writeCommit = (commit: CommitRecord) => writeDurably(this.file('commit.json'), JSON.stringify(commit));
  readCommit = () => this.readParsed(this.file('commit.json'), CommitRecord);

  /** Adds versions that the run is executed with to those that are known. */
  writeVersions = (more: Partial<RunVersions>) =>
    writeDurably(this.file('versions.json'), JSON.stringify({ ...this.readVersions(), ...more }));
  readVersions = () => this.readParsed(this.file('versions.json'), RunVersions.partial());

  /** Notes that the run reads from a cached folder as long as the note exists. */
  writeUse = (path: string) => writeFile(this.file('uses'), path, { mode: 0o600 });
  readUse = () => readFile(this.file('uses'), 'utf8').catch(() => undefined);

  writeExit = (exit: ExitRecord) => writeDurably(this.file('exit'), JSON.stringify(exit));
  readExit = () => this.readParsed(this.file('exit'), ExitRecord);

  /** When it ended, in milliseconds since 1970; undefined before. */
  endedAt = () =>
    stat(this.file('exit')).then(
      ({ mtimeMs }) => mtimeMs,
      () => undefined,
    );

  /** The supervisor that started the program; undefined before. */
  supervisor = (): ProcessIdentity | undefined => this.#started(0);
  /** The parent of the supervisor, which ends the descendants of a killed supervisor. */
  watchdog = (): ProcessIdentity | undefined => this.#started(1);

  #started(line: number): ProcessIdentity | undefined {
    try {
      return parseIdentity(readFileSync(this.file('started'), 'utf8').split('\n')[line] ?? '');
    } catch (error) {
      if (isResourceError(error)) throw error;
      return undefined;
    }
  }

  hasStarted = () => existsSync(this.file('started'));

  /** Removes what an unfinished preparation has left. The log remains, because its lines may be stored already. */
  async clearPreparation(): Promise<void> {
    await rm(this.file('commit.json'), { force: true });
    await rm(this.file('versions.json'), { force: true });
    await this.#clearPrivate();
    await this.workspace.remove(this.workspace.path);
  }

  /** Removes every secret at the end of the run. After a restart, the output cannot be read before the server sends the key. */
  async removeSecrets(): Promise<void> {
    for (const name of JOB_FILES) await rm(this.file(name), { force: true });
    await this.#clearPrivate();
    await this.workspace.remove(this.workspace.secrets);
  }

  /** A folder for what no program of the run may see, such as the passphrase of a key while it is opened. */
  get privateFolder() {
    return this.file('open');
  }

  /** The files of the containers of the run. */
  get containerFolder() {
    return this.file('container');
  }

  /** Removes files that a killed process of the runner left in these folders. */
  #clearPrivate = async () => {
    for (const path of [this.privateFolder, this.containerFolder]) await rm(path, { recursive: true, force: true });
  };

  /** Removes what only a running program needs. */
  clearWorkspace = () => this.workspace.remove(this.workspace.checkout, this.workspace.temporary);

  /** Removes everything. The folder is renamed first, so that a crash leaves no half-removed run to continue. */
  async remove(): Promise<void> {
    const gone = `${this.path}.gone`;
    // The run is removed even if files of another user remain in its workspace.
    const unremoved = await this.workspace.remove(this.workspace.path).catch((error: unknown) => error ?? true);
    try {
      await rm(gone, { recursive: true, force: true });
      await rename(this.path, gone);
    } catch {
      // The folder does not exist.
    }
    await rm(gone, { recursive: true, force: true, maxRetries: 3 });
    if (unremoved) throw unremoved;
  }

  /**
   * The content of a JSON file; undefined if it is missing or truncated.
   * @throws if this process cannot open files
   */
  readParsed<T>(path: string, schema: z.ZodType<T>): T | undefined {
    try {
      return schema.parse(JSON.parse(readFileSync(path, 'utf8')));
    } catch (error) {
      if (isResourceError(error)) throw error;
      return undefined;
    }
  }
}

const clearAway = (path: string, log: (text: string) => void, remove: () => Promise<void>): Promise<void> =>
  remove().then(
    () => log(`Removed ${path}, which belongs to no run.`),
    (error) => log(`${path} cannot be removed: ${String(error)}`),
  );

/** All run folders. Removes what is left of deleted runs. */
export const listRunFolders = async (
  runs: string,
  workspaces: WorkspaceOptions,
  log: (text: string) => void,
): Promise<RunFolder[]> => {
  await mkdir(runs, { recursive: true, mode: 0o700 });
  await makeWorkspaces(workspaces);
  const found: RunFolder[] = [];
  for (const name of await readdir(runs)) {
    const run = parseFolderName(name);
    if (run) found.push(new RunFolder(runs, workspaces, run.task_id, run.epoch));
    else {
      await clearAway(join(runs, name), log, () => rm(join(runs, name), { recursive: true, force: true }));
    }
  }
  const held = new Set(found.map(({ workspace }) => workspace.path));
  for (const name of await listWorkspaces(workspaces)) {
    const path = join(workspaces.root, name);
    if (held.has(path)) continue;
    await clearAway(path, log, () => new Workspace(workspaces, name).remove(path));
  }
  return found;
};
