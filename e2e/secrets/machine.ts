import { existsSync, lstatSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, join, relative } from 'node:path';
import type { Canaries } from './canaries.ts';

const read = (path: string): Buffer | undefined => {
  try {
    return readFileSync(path);
  } catch {
    // It is gone already.
    return undefined;
  }
};

/** What can be seen of the machine's processes; looked at so often, in milliseconds, that also short ones are seen. */
const LOOK_MS = 20;

export class ProcessWatch {
  readonly #canaries: Canaries;
  readonly #folder: string;
  readonly #timer: NodeJS.Timeout;
  readonly inArguments = new Set<string>();
  readonly inEnvironment = new Set<string>();
  /** Every word of their command lines that was seen, without the folders before it. */
  readonly words = new Set<string>();

  /** @param folder only processes that have to do with it are asked for their environment */
  constructor(canaries: Canaries, folder: string) {
    this.#canaries = canaries;
    this.#folder = folder;
    this.#timer = setInterval(() => this.look(), LOOK_MS);
  }

  look(): void {
    for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)) {
      const words = read(`/proc/${pid}/cmdline`);
      const environment = read(`/proc/${pid}/environ`);
      if (!words || !environment) continue;
      for (const found of this.#canaries.find(words)) this.inArguments.add(found);
      if (!environment.includes(this.#folder) && !words.includes(this.#folder)) continue;
      for (const word of words.toString('utf8').split('\0')) this.words.add(word.slice(word.lastIndexOf('/') + 1));
      const isServer = words.toString('utf8').includes('\0server\0');
      for (const found of this.#canaries.find(environment))
        this.inEnvironment.add(`${found} in ${isServer ? 'the server' : 'a run'}`);
    }
  }

  close(): void {
    clearInterval(this.#timer);
  }
}

/** Every file below a folder; what goes away while it is looked for is none. */
const filesBelow = (folder: string): string[] => {
  try {
    return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
      const path = join(folder, entry.name);
      return entry.isDirectory() ? filesBelow(path) : entry.isFile() ? [path] : [];
    });
  } catch (fault) {
    // What others keep to themselves is none of ours.
    if (['ENOENT', 'ENOTDIR', 'EACCES'].includes((fault as NodeJS.ErrnoException).code ?? '')) return [];
    throw fault;
  }
};

/** Every file below a folder in which a canary is, with its name. */
export const canariesInFiles = (canaries: Canaries, folder: string): string[] =>
  filesBelow(folder)
    .flatMap((path) =>
      canaries
        .find(`${path}\n${read(path)?.toString('latin1') ?? ''}`)
        .map((found) => `${found} in ${relative(folder, path)}`),
    )
    .toSorted();

/** Where programs put what they need for a moment. */
const TEMPORARY = [tmpdir(), '/var/tmp', '/dev/shm'];
/** How often they are looked through, in milliseconds. */
const FILES_MS = 100;

/** Looks through the temporary folders and a home, again and again: what is there for a moment only is seen too. */
export class TemporaryFileWatch {
  readonly #canaries: Canaries;
  readonly #home: string;
  readonly #since: number;
  readonly #timer: NodeJS.Timeout;
  /** How each file was when it was looked into: one that is the same is not read again. */
  readonly #states = new Map<string, string>();
  /** The files in which a secret was. */
  readonly found = new Set<string>();
  /** All that were looked into. */
  readonly files = new Set<string>();

  constructor(canaries: Canaries, home: string) {
    this.#canaries = canaries;
    this.#home = home;
    this.#since = Date.now();
    this.#timer = setInterval(() => this.look(), FILES_MS);
  }

  look(): void {
    for (const path of [...this.#newlyMade(), ...filesBelow(this.#home)]) {
      const facts = lstatSync(path, { throwIfNoEntry: false });
      const state = `${facts?.ino} ${facts?.size} ${facts?.mtimeMs}`;
      if (this.#states.get(path) === state) continue;
      this.#states.set(path, state);
      this.files.add(path);
      for (const found of this.#canaries.find(`${path}\n${read(path)?.toString('latin1') ?? ''}`))
        this.found.add(`${found} in ${path}`);
    }
  }

  /** The folders of tests have names of their own, and what was there before is somebody else's. */
  #newlyMade(): string[] {
    return TEMPORARY.filter((folder) => existsSync(folder))
      .flatMap((folder) => readdirSync(folder).map((name) => join(folder, name)))
      .filter((path) => !basename(path).startsWith('signalbox-'))
      .flatMap((path) => {
        const facts = lstatSync(path, { throwIfNoEntry: false });
        if (!facts || facts.mtimeMs < this.#since) return [];
        return facts.isDirectory() ? filesBelow(path) : facts.isFile() ? [path] : [];
      });
  }

  close(): void {
    clearInterval(this.#timer);
  }
}

/** Those of the files that were found to hold a secret that somebody else than their owner could open. */
export const readableByOthers = (folder: string, found: readonly string[]): string[] => {
  const paths = new Set(found.map((one) => one.slice(one.indexOf(' in ') + ' in '.length)));
  return [...paths].filter((path) => {
    const facts = statSync(join(folder, path), { throwIfNoEntry: false });
    return facts !== undefined && (facts.mode & 0o077) !== 0;
  });
};

/** A server that takes a connection, lets somebody look at who is calling, and hangs up. */
export const listenAndHangUp = async (onCall: () => void): Promise<{ port: number; server: Server }> => {
  const server = createServer((socket) => {
    socket.on('error', () => socket.destroy());
    onCall();
    socket.once('data', () => {
      onCall();
      socket.destroy();
    });
  });
  const { promise, resolve } = Promise.withResolvers<void>();
  server.listen(0, '127.0.0.1', resolve);
  await promise;
  const address = server.address();
  return { server, port: typeof address === 'object' && address ? address.port : 0 };
};
