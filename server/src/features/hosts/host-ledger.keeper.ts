import type { RunHosts, RunSummary } from '@signalbox/contract';
import type { Selectable } from 'kysely';
import { type Database, LOCK } from '../../database/database.ts';
import type { HostLedgerDueTable } from '../../database/schema.ts';
import { writeHosts } from './host.store.ts';

export interface HostLedgerNeeds {
  readonly database: Database;
  /** The counts of the hosts of a run, by name. */
  readonly summary: (taskId: number) => Promise<RunSummary>;
  readonly hosts: (taskId: number, first: number, limit: number) => Promise<RunHosts>;
  readonly onError: (error: unknown) => void;
}

/** Whoever ends a task need not know who writes: it is looked for so often, in milliseconds. */
const LOOK_MS = 60_000;
/** Runs looked for at once, and hosts in one transaction. */
const RUNS = 50;
const HOSTS = 200;

/**
 * Writes down what ended runs did to their hosts. The transaction that ends a task says that this is to be done, so a
 * crash loses none; doing it twice, or on two servers at once, writes the same.
 */
export class HostLedgerKeeper {
  readonly #needs: HostLedgerNeeds;
  readonly #stopping = new AbortController();
  #sweep: Promise<void> | undefined;
  #again = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(needs: HostLedgerNeeds) {
    this.#needs = needs;
  }

  start(): void {
    this.#timer = setInterval(() => this.wake(), LOOK_MS);
    this.wake();
  }

  wake(): void {
    if (this.#stopping.signal.aborted) return;
    this.#again = true;
    this.#sweep ??= this.#run();
  }

  /** Resolves when every run that had ended before is written down, or failed to be: then the next wake tries again. */
  async idle(): Promise<void> {
    await this.#sweep;
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    this.#stopping.abort();
    await this.#sweep;
  }

  async #run(): Promise<void> {
    try {
      while (this.#again) {
        this.#again = false;
        await this.#writeDue();
      }
    } catch (error) {
      this.#needs.onError(error);
    } finally {
      this.#sweep = undefined;
    }
  }

  async #writeDue(): Promise<void> {
    const { database, onError } = this.#needs;
    for (let after = 0; ; ) {
      const due = await database.read
        .selectFrom('host_ledger_due')
        .selectAll()
        .where('id', '>', after)
        .orderBy('id')
        .limit(RUNS)
        .execute();
      for (const run of due) {
        if (this.#stopping.signal.aborted) return;
        // One run that cannot be read holds up none of the others.
        await this.#write(run).catch(onError);
      }
      after = due.at(-1)?.id ?? after;
      if (due.length < RUNS) return;
    }
  }

  async #write({ id, project_id, task_id, ended }: Selectable<HostLedgerDueTable>): Promise<void> {
    const { database } = this.#needs;
    const { complete } = await this.#needs.summary(task_id);
    for (let first = 1; ; first += HOSTS) {
      const { hosts } = await this.#needs.hosts(task_id, first, HOSTS);
      if (hosts.length > 0) {
        const runs = hosts.map(({ host, ...stats }) => ({ host, taskId: task_id, ended, complete, stats }));
        await database.write(async (tx) => {
          // Its project may be deleted meanwhile, and with it what was due.
          const still = await tx.selectFrom('host_ledger_due').select('id').where('id', '=', id).executeTakeFirst();
          if (still) await writeHosts(tx, project_id, runs);
        }, LOCK.hosts);
      }
      if (hosts.length < HOSTS) break;
      if (this.#stopping.signal.aborted) return;
      await new Promise(setImmediate);
    }
    await database.read.deleteFrom('host_ledger_due').where('id', '=', id).execute();
  }
}
