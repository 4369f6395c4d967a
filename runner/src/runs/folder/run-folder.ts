import { existsSync, readFileSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { EndReason } from '@signalbox/contract';
import { JobSpec } from '@signalbox/contract/link';
import { z } from 'zod';
import { isResourceError } from '../../errors/resource-error.ts';
import { syncFile, writeDurably } from '../../files/durable-file.ts';
import type { RunFiles } from '../../output/run-files.ts';
import { type ProcessIdentity, parseIdentity } from '../../process/process-table.ts';
import { listWorkspaces, makeWorkspaces, Workspace, type WorkspaceOptions } from '../../workspace/workspace.ts';
import { type BootMoment, bootMoment } from '../processes/time-limit.ts';
import { ClosedJob, OldClosedJob } from './closed-job.ts';

/** How a run ended, as the keeper writes it, or the runner when no keeper could. */
export const ExitNote = z.object({
  reason: z.enum(['exited', 'stopped', 'not_started', 'repository', 'preparation', 'lost', 'disk', 'time_limit']),
  code: z.int().nullable(),
  signal: z.int().nullable(),
  /** Bytes of output.log at that moment; what follows is the runner's own last line. */
  bytes: z.int(),
  message: z.string().optional(),
  /** Why the run could not be prepared. The texts may contain secrets. */
  end_reason: EndReason.optional().catch(undefined),
  /** How long the playbook ran, where it did. */
  seconds: z.number().optional(),
  /** True when output was given up because the disk was full. */
  cut: z.boolean().optional(),
  /** Pids of processes that have become another user's, so that the keeper may not end them. */
  left: z.array(z.int()).optional(),
});
export type ExitNote = z.infer<typeof ExitNote>;

/** Of a run of which nobody knows how it ended. */
export const LOST_EXIT: ExitNote = { reason: 'lost', code: null, signal: null, bytes: 0 };

const CommitNote = z.object({ hash: z.string(), message: z.string() });
export type CommitNote = z.infer<typeof CommitNote>;

const StartNote = z.object({ boot: z.string(), at: z.number() });

/** File names; earlier versions wrote the second one. */
const JOB_FILES = ['job.json', 'order.json'] as const;
const START_FILES = ['start.json', 'go'] as const;

const FOLDER_NAME = /^(\d{1,10})-(\d{1,15})$/;

/** The run that a folder's name tells of. */
const parseFolderName = (name: string): { task_id: number; epoch: number } | undefined => {
  const match = FOLDER_NAME.exec(name);
  return match ? { task_id: Number(match[1]), epoch: Number(match[2]) } : undefined;
};

/** All that is kept of one run: a folder that only its owner may open. */
export class RunFolder implements RunFiles {
  readonly path: string;
  readonly task_id: number;
  readonly epoch: number;

  /** What the programs of the run see of it. */
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
  /** Up to where everything is stored elsewhere, see `ReadPosition`. */
  get position() {
    return this.file('position.json');
  }

  /** Writes the order, and what stays of it when the run has ended, so that they survive a power cut. */
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
  noteStart = () => writeDurably(this.file('start.json'), JSON.stringify(bootMoment()));
  wasPermitted = () => START_FILES.some((name) => existsSync(this.file(name)));
  /** When the server permitted the start. The time limit counts from here. */
  permittedAt = (): BootMoment | undefined => this.readParsed(this.#first(START_FILES), StartNote);

  /** The first of some files that exists, else the first of them. */
  #first(names: readonly [string, ...string[]]): string {
    return this.file(names.find((name) => existsSync(this.file(name))) ?? names[0]);
  }

  noteCommit = (commit: CommitNote) => writeDurably(this.file('commit.json'), JSON.stringify(commit));
  readCommit = () => this.readParsed(this.file('commit.json'), CommitNote);

  /** Notes that the run reads from a cached folder as long as it is there. */
  noteUse = (path: string) => writeFile(this.file('uses'), path, { mode: 0o600 });
  readUse = () => readFile(this.file('uses'), 'utf8').catch(() => undefined);

  noteExit = (exit: ExitNote) => writeDurably(this.file('exit'), JSON.stringify(exit));
  readExit = () => this.readParsed(this.file('exit'), ExitNote);

  /** When it ended, in milliseconds since 1970; undefined before. */
  endedAt = () =>
    stat(this.file('exit')).then(
      ({ mtimeMs }) => mtimeMs,
      () => undefined,
    );

  /** The keeper that started the playbook; undefined while none has. */
  supervisor = (): ProcessIdentity | undefined => this.#started(0);
  /** The keeper's parent, which ends what a killed keeper leaves. */
  watchdog = (): ProcessIdentity | undefined => this.#started(1);

  #started(line: number): ProcessIdentity | undefined {
    try {
      return parseIdentity(readFileSync(this.file('started'), 'utf8').split('\n')[line] ?? '');
    } catch (fault) {
      if (isResourceError(fault)) throw fault;
      return undefined;
    }
  }

  hasStarted = () => existsSync(this.file('started'));

  /** Takes what an unfinished preparation has left, but not the log: its lines may be stored already. */
  async clearPreparation(): Promise<void> {
    await rm(this.file('commit.json'), { force: true });
    await this.#clearPrivate();
    await this.workspace.remove(this.workspace.path);
  }

  /** Takes every secret of the run, at its end: what it has said stays unread until somebody masks it. */
  async removeSecrets(): Promise<void> {
    for (const name of JOB_FILES) await rm(this.file(name), { force: true });
    await this.#clearPrivate();
    await this.workspace.remove(this.workspace.secrets);
  }

  /** A folder for what no program of the run may see, such as the passphrase of a key while it is opened. */
  get privateFolder() {
    return this.file('open');
  }

  /** Removes what a killed process of the runner left there. */
  #clearPrivate = () => rm(this.privateFolder, { recursive: true, force: true });

  /** Takes what only a running playbook needs. */
  clearWorkspace = () => this.workspace.remove(this.workspace.checkout, this.workspace.temporary);

  /** Removes all. The order goes first with a rename, so that a crash in between leaves no half run to go on with. */
  async remove(): Promise<void> {
    const gone = `${this.path}.gone`;
    // Of a place that another user's files keep there, at least nothing goes on.
    const unremoved = await this.workspace.remove(this.workspace.path).catch((fault: unknown) => fault ?? true);
    try {
      await rm(gone, { recursive: true, force: true });
      await rename(this.path, gone);
    } catch {
      // There is no such folder any more.
    }
    await rm(gone, { recursive: true, force: true, maxRetries: 3 });
    if (unremoved) throw unremoved;
  }

  /** What a file of JSON says; undefined when it is missing or torn. Throws where this process can open no file. */
  readParsed<T>(path: string, schema: z.ZodType<T>): T | undefined {
    try {
      return schema.parse(JSON.parse(readFileSync(path, 'utf8')));
    } catch (fault) {
      if (isResourceError(fault)) throw fault;
      return undefined;
    }
  }
}

const clearAway = (path: string, note: (sentence: string) => void, remove: () => Promise<void>): Promise<void> =>
  remove().then(
    () => note(`Removed ${path}, which belongs to no run.`),
    (fault) => note(`${path} cannot be removed: ${String(fault)}`),
  );

/** All run folders; what is left of removed ones is cleared away. */
export const listRunFolders = async (
  runs: string,
  workspaces: WorkspaceOptions,
  note: (sentence: string) => void,
): Promise<RunFolder[]> => {
  await mkdir(runs, { recursive: true, mode: 0o700 });
  await makeWorkspaces(workspaces);
  const found: RunFolder[] = [];
  for (const name of await readdir(runs)) {
    const run = parseFolderName(name);
    if (run) found.push(new RunFolder(runs, workspaces, run.task_id, run.epoch));
    else {
      await clearAway(join(runs, name), note, () => rm(join(runs, name), { recursive: true, force: true }));
    }
  }
  const held = new Set(found.map(({ workspace }) => workspace.path));
  for (const name of await listWorkspaces(workspaces)) {
    const path = join(workspaces.root, name);
    if (held.has(path)) continue;
    await clearAway(path, note, () => new Workspace(workspaces, name).remove(path));
  }
  return found;
};
