import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { startPostgres } from '../postgres.mjs';
import { signalIfThere } from './product.ts';

/** A process and all that it has started. */
const familyOf = (root: number): number[] => {
  const children = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        return Number(readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ')[1]?.split(' ')[1]) === root;
      } catch {
        return false;
      }
    });
  return [root, ...children.flatMap((pid) => familyOf(Number(pid)))];
};

/** A PostgreSQL server that can be taken away and given back. */
export class OutagePostgres {
  readonly #server: Awaited<ReturnType<typeof startPostgres>>;
  #family: number[] = [];

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
    for (const pid of this.#family) signalIfThere(pid, name);
  }

  /** It refuses nothing from here on, and answers nothing. */
  freeze(): void {
    this.#family = familyOf(this.#server.pid());
    this.#signal('SIGSTOP');
  }

  thaw(): void {
    this.#signal('SIGCONT');
  }

  kill(): void {
    this.#family = familyOf(this.#server.pid());
    this.#signal('SIGKILL');
  }

  again(): Promise<void> {
    return this.#server.again();
  }

  stop(): Promise<void> {
    return this.#server.stop();
  }
}

/** Locks both SQLite files of a data folder, as another process does that writes in them for long. Answers how to let go. */
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
