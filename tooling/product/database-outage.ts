import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { startPostgres } from '../postgres.mjs';
import { isAlive, signalIfThere, until } from './product.ts';

/** Returns a process and all its descendants. */
const processTree = (root: number): number[] => {
  const children = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        return Number(readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ')[1]?.split(' ')[1]) === root;
      } catch {
        return false;
      }
    });
  return [root, ...children.flatMap((pid) => processTree(Number(pid)))];
};

/** A PostgreSQL server that can be frozen, killed and restarted. */
export class OutagePostgres {
  readonly #server: Awaited<ReturnType<typeof startPostgres>>;
  #processes: number[] = [];

  private constructor(server: Awaited<ReturnType<typeof startPostgres>>) {
    this.#server = server;
  }

  static async start(): Promise<OutagePostgres> {
    return new OutagePostgres(await startPostgres());
  }

  get url(): string {
    return this.#server.url;
  }

  #signal(name: NodeJS.Signals): void {
    for (const pid of this.#processes) signalIfThere(pid, name);
  }

  /** From then on it accepts connections, but answers nothing. */
  freeze(): void {
    this.#processes = processTree(this.#server.pid());
    this.#signal('SIGSTOP');
  }

  thaw(): void {
    this.#signal('SIGCONT');
  }

  kill(): void {
    this.#processes = processTree(this.#server.pid());
    this.#signal('SIGKILL');
  }

  /** Ends it in order: what was committed is stored, and all connections are cut. */
  async end(): Promise<void> {
    const pid = this.#server.pid();
    signalIfThere(pid, 'SIGINT');
    await until('the end of PostgreSQL', () => !isAlive(pid));
  }

  again(): Promise<void> {
    return this.#server.again();
  }

  stop(): Promise<void> {
    return this.#server.stop();
  }
}

/** Locks both SQLite files of a data folder, like another process with a long transaction. Returns a function that unlocks them. */
export const lockFiles = (folder: string): (() => void) => {
  const files = ['signalbox.db', 'logs.db'].map((name) => new DatabaseSync(join(folder, name), { timeout: 5000 }));
  for (const file of files) file.exec('begin immediate');
  return () => {
    for (const file of files.splice(0)) {
      file.exec('rollback');
      file.close();
    }
  };
};
