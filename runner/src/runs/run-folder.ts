import { existsSync, readFileSync, statSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { Order } from '@signalbox/contract/link';
import { z } from 'zod';
import { keepNote, ReadPosition } from '../output/read-position.ts';
import { type ProcessIdentity, parseIdentity } from '../process/process-table.ts';
import { syncFile, writeDurably } from './durable-file.ts';
import { listPlaces, makePlaces, type PlaceOptions, RunPlace } from './run-place.ts';

/** How a run ended, as the keeper writes it, or the runner when no keeper could. */
export const ExitNote = z.object({
  reason: z.enum(['exited', 'stopped', 'not_started', 'repository', 'preparation', 'lost', 'disk', 'time_limit']),
  code: z.int().nullable(),
  signal: z.int().nullable(),
  /** Bytes of output.log at that moment; what follows is the runner's own last line. */
  bytes: z.int(),
  message: z.string().optional(),
  /** How long the playbook ran, where it did. */
  seconds: z.number().optional(),
  /** True when output was given up because the disk was full. */
  cut: z.boolean().optional(),
});
export type ExitNote = z.infer<typeof ExitNote>;

const CommitNote = z.object({ hash: z.string(), message: z.string() });
export type CommitNote = z.infer<typeof CommitNote>;

const CopiesNote = z.object({ from: ReadPosition, bytes: z.array(z.int()) });

const FOLDER_NAME = /^(\d{1,10})-(\d{1,15})$/;

/** The run that a folder's name tells of. */
export const parseFolderName = (name: string): { task_id: number; epoch: number } | undefined => {
  const match = FOLDER_NAME.exec(name);
  return match ? { task_id: Number(match[1]), epoch: Number(match[2]) } : undefined;
};

/** All that is kept of one run: a folder that only its owner may open. */
export class RunFolder {
  readonly path: string;
  readonly task_id: number;
  readonly epoch: number;

  /** What the programs of the run see of it. */
  readonly place: RunPlace;

  constructor(runs: string, places: PlaceOptions, task_id: number, epoch: number) {
    const name = `${task_id}-${epoch}`;
    this.path = join(runs, name);
    this.place = new RunPlace(places, name);
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

  /** Writes the order, so that it survives a power cut. */
  async create(order: Order): Promise<void> {
    await this.place.remove(this.place.path);
    await rm(this.path, { recursive: true, force: true });
    await mkdir(this.path, { recursive: true, mode: 0o700 });
    await writeDurably(this.file('order.json'), JSON.stringify(order));
    await syncFile(join(this.path, '..'));
  }

  /** The order; undefined when it was never written whole. */
  async readOrder(): Promise<Order | undefined> {
    try {
      return Order.parse(JSON.parse(await readFile(this.file('order.json'), 'utf8')));
    } catch {
      return undefined;
    }
  }

  /** Notes that the server said go: from now on something may have been executed. */
  markGo = () => writeDurably(this.file('go'), '');
  hasGo = () => existsSync(this.file('go'));

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
  keeper = (): ProcessIdentity | undefined => this.#started(0);
  /** The keeper's parent, which ends what a killed keeper leaves. */
  guardian = (): ProcessIdentity | undefined => this.#started(1);

  #started(line: number): ProcessIdentity | undefined {
    try {
      return parseIdentity(readFileSync(this.file('started'), 'utf8').split('\n')[line] ?? '');
    } catch {
      return undefined;
    }
  }

  hasStarted = () => existsSync(this.file('started'));

  /** Takes what an unfinished preparation has left, but not the log: its lines may be stored already. */
  async clearPreparation(): Promise<void> {
    await rm(this.file('commit.json'), { force: true });
    await this.place.remove(this.place.path);
  }

  /** The masked copies that take the place of what the run wrote, see `sealRun`. */
  get sealed() {
    return { output: this.file('sealed.output'), times: this.file('sealed.times'), events: this.file('sealed.events') };
  }
  isSealed = () => existsSync(this.file('sealed'));

  /** Notes, for whoever goes on after this process, that the masked copies are written whole and begin at `from`. */
  async noteCopies(from: ReadPosition): Promise<void> {
    await keepNote(this.file('sealing'), { from, bytes: this.#copiedBytes() });
  }
  /** Where the masked copies begin; undefined unless they are known to be whole. */
  readCopies(): ReadPosition | undefined {
    const note = this.readParsed(this.file('sealing'), CopiesNote);
    return note && isDeepStrictEqual(note.bytes, this.#copiedBytes()) ? note.from : undefined;
  }
  #copiedBytes = () => Object.values(this.sealed).map((path) => statSync(path, { throwIfNoEntry: false })?.size ?? 0);

  /**
   * Takes the secrets out of the order. Should this process end before the masked copies are written, nothing can be
   * masked any more, and what was not delivered stays unread.
   */
  async dropSecrets(order: Order): Promise<void> {
    if (!this.readCopies()) await writeDurably(this.file('sealing'), '');
    await this.#bareOrder(order);
  }
  /** True when the secrets may be gone, so that only the masked copies count, and they are not in force yet. */
  isSealing = () => existsSync(this.file('sealing')) && !this.isSealed();

  /** From now on the masked copies count, which begin at `from`; the raw output and the order's secrets are removed. */
  async markSealed(order: Order, from?: ReadPosition): Promise<void> {
    if (from || !this.isSealed()) await writeDurably(this.file('sealed'), from ? JSON.stringify(from) : '');
    await this.#bareOrder(order);
    for (const raw of [this.output, this.times]) await rm(raw, { force: true });
    await this.place.remove(this.place.events);
  }

  async #bareOrder(order: Order): Promise<void> {
    const nothing = { type: 'none' } as const;
    const bare: Order = {
      ...order,
      repository: { ...order.repository, url: '', access: nothing },
      inventory: { type: 'static', inventory: '', access: nothing, become: null },
      vault_password: null,
      extra_variables: {},
      secret_variables: {},
      secret_environment: {},
      answers: {},
      process_environment: {},
    };
    await writeDurably(this.file('order.json'), JSON.stringify(bare));
  }

  removeSecrets = () => this.place.remove(this.place.secrets);

  /** Takes what only a running playbook needs. */
  clearPlace = () => this.place.remove(this.place.checkout, this.place.temporary);

  /** Removes all. The order goes first with a rename, so that a crash in between leaves no half run to go on with. */
  async remove(): Promise<void> {
    const gone = `${this.path}.gone`;
    // Of a place that another user's files keep there, at least nothing goes on.
    const unremoved = await this.place.remove(this.place.path).catch((fault: unknown) => fault ?? true);
    try {
      await rm(gone, { recursive: true, force: true });
      await rename(this.path, gone);
    } catch {
      // There is no such folder any more.
    }
    await rm(gone, { recursive: true, force: true, maxRetries: 3 });
    if (unremoved) throw unremoved;
  }

  /** What a file of JSON says; undefined when it is missing or torn. */
  readParsed<T>(path: string, schema: z.ZodType<T>): T | undefined {
    try {
      return schema.parse(JSON.parse(readFileSync(path, 'utf8')));
    } catch {
      return undefined;
    }
  }
}

/** All run folders; what is left of removed ones is cleared away. */
export const listRunFolders = async (
  runs: string,
  places: PlaceOptions,
  note: (sentence: string) => void,
): Promise<RunFolder[]> => {
  await mkdir(runs, { recursive: true, mode: 0o700 });
  await makePlaces(places);
  const found: RunFolder[] = [];
  for (const name of await readdir(runs)) {
    const run = parseFolderName(name);
    if (run === undefined) await rm(join(runs, name), { recursive: true, force: true });
    else found.push(new RunFolder(runs, places, run.task_id, run.epoch));
  }
  const held = new Set(found.map(({ place }) => place.path));
  for (const name of await listPlaces(places)) {
    const path = join(places.root, name);
    if (held.has(path)) continue;
    await new RunPlace(places, name).remove(path).catch((fault) => note(`${path} cannot be removed: ${String(fault)}`));
  }
  return found;
};
