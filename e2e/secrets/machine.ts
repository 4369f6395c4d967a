import { existsSync, lstatSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, join, relative } from 'node:path';
import type { Canaries } from './canaries.ts';

const read = (path: string): Buffer | undefined => {
  try {
    return readFileSync(path);
  } catch {
    // The process has already ended.
    return undefined;
  }
};

/**
 * What other users can see of the processes of the machine. The interval of the scans, in milliseconds, is short enough
 * for short processes.
 */
const SCAN_MS = 20;

export class ProcessWatch {
  readonly #canaries: Canaries;
  readonly #folder: string;
  readonly #timer: NodeJS.Timeout;
  readonly inArguments = new Set<string>();
  readonly inEnvironment = new Set<string>();
  /** All arguments of the processes that were seen, without folders. */
  readonly programs = new Set<string>();

  /** @param folder the environment is read only of processes that use this folder */
  constructor(canaries: Canaries, folder: string) {
    this.#canaries = canaries;
    this.#folder = folder;
    this.#timer = setInterval(() => this.scan(), SCAN_MS);
  }

  scan(): void {
    for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)) {
      const programs = read(`/proc/${pid}/cmdline`);
      const environment = read(`/proc/${pid}/environ`);
      if (!programs || !environment) continue;
      for (const found of this.#canaries.find(programs)) this.inArguments.add(found);
      if (!environment.includes(this.#folder) && !programs.includes(this.#folder)) continue;
      for (const part of programs.toString('utf8').split('\0'))
        this.programs.add(part.slice(part.lastIndexOf('/') + 1));
      const isServer = programs.toString('utf8').includes('\0server\0');
      for (const found of this.#canaries.find(environment))
        this.inEnvironment.add(`${found} in ${isServer ? 'the server' : 'a run'}`);
    }
  }

  close(): void {
    clearInterval(this.#timer);
  }
}

/** All files below a folder, except files that are deleted meanwhile. */
const filesBelow = (folder: string): string[] => {
  try {
    return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
      const path = join(folder, entry.name);
      return entry.isDirectory() ? filesBelow(path) : entry.isFile() ? [path] : [];
    });
  } catch (error) {
    // Files that this user cannot read belong to other programs.
    if (['ENOENT', 'ENOTDIR', 'EACCES'].includes((error as NodeJS.ErrnoException).code ?? '')) return [];
    throw error;
  }
};

/** All files below a folder that contain a canary, with the name of the canary. */
export const canariesInFiles = (canaries: Canaries, folder: string): string[] =>
  filesBelow(folder)
    .flatMap((path) =>
      canaries
        .find(`${path}\n${read(path)?.toString('latin1') ?? ''}`)
        .map((found) => `${found} in ${relative(folder, path)}`),
    )
    .toSorted();

/** Folders for temporary files. */
const TEMPORARY = [tmpdir(), '/var/tmp', '/dev/shm'];
/** Interval of the scans, in milliseconds. */
const FILES_MS = 100;

/** Scans the temporary folders and a home folder repeatedly, so that short-lived files are found too. */
export class TemporaryFileWatch {
  readonly #canaries: Canaries;
  readonly #home: string;
  readonly #since: number;
  readonly #timer: NodeJS.Timeout;
  /** The state of each file when it was read: an unchanged file is not read again. */
  readonly #states = new Map<string, string>();
  /** The files that contained a secret. */
  readonly found = new Set<string>();
  /** All files that were read. */
  readonly files = new Set<string>();

  constructor(canaries: Canaries, home: string) {
    this.#canaries = canaries;
    this.#home = home;
    this.#since = Date.now();
    this.#timer = setInterval(() => this.scan(), FILES_MS);
  }

  scan(): void {
    for (const path of [...this.#newlyMade(), ...filesBelow(this.#home)]) {
      const stat = lstatSync(path, { throwIfNoEntry: false });
      const state = `${stat?.ino} ${stat?.size} ${stat?.mtimeMs}`;
      if (this.#states.get(path) === state) continue;
      this.#states.set(path, state);
      this.files.add(path);
      for (const found of this.#canaries.find(`${path}\n${read(path)?.toString('latin1') ?? ''}`))
        this.found.add(`${found} in ${path}`);
    }
  }

  /**
   * Skips files that existed before, because they belong to other programs. The folders of tests have their own names.
   */
  #newlyMade(): string[] {
    return TEMPORARY.filter((folder) => existsSync(folder))
      .flatMap((folder) => readdirSync(folder).map((name) => join(folder, name)))
      .filter((path) => !basename(path).startsWith('signalbox-'))
      .flatMap((path) => {
        const stat = lstatSync(path, { throwIfNoEntry: false });
        if (!stat || stat.mtimeMs < this.#since) return [];
        return stat.isDirectory() ? filesBelow(path) : stat.isFile() ? [path] : [];
      });
  }

  close(): void {
    clearInterval(this.#timer);
  }
}

/** The files with a secret that users other than their owner could read. */
export const readableByOthers = (folder: string, found: readonly string[]): string[] => {
  const paths = new Set(found.map((one) => one.slice(one.indexOf(' in ') + ' in '.length)));
  return [...paths].filter((path) => {
    const stat = statSync(join(folder, path), { throwIfNoEntry: false });
    return stat !== undefined && (stat.mode & 0o077) !== 0;
  });
};

/** A server that accepts a connection, calls a function, and closes it. */
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
