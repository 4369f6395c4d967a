import type { RunHosts, RunSummary } from '@signalbox/contract';
import type { Selectable } from 'kysely';
import { type Database, LOCK } from '../../database/database.ts';
import type { HostLedgerDueTable } from '../../database/schema.ts';
import { Sweeper } from '../../sweeper.ts';
import { writeHosts } from './host.store.ts';

export interface HostLedgerNeeds {
  readonly database: Database;
  /** The counts of the hosts of a run, by name. */
  readonly summary: (taskId: number) => Promise<RunSummary>;
  readonly hosts: (taskId: number, first: number, limit: number) => Promise<RunHosts>;
  /** Called when a run of a project was written down. */
  readonly onWritten: (projectId: number) => void;
  readonly onError: (error: unknown) => void;
}

/** Runs looked for at once, and hosts in one transaction. */
const RUNS = 50;
const HOSTS = 200;

const write = async (
  needs: HostLedgerNeeds,
  { id, project_id, task_id, ended }: Selectable<HostLedgerDueTable>,
  signal: AbortSignal,
): Promise<void> => {
  const { database } = needs;
  const { complete } = await needs.summary(task_id);
  for (let first = 1; ; first += HOSTS) {
    const { hosts } = await needs.hosts(task_id, first, HOSTS);
    if (hosts.length > 0) {
      const runs = hosts.map(({ host, ...stats }) => ({ host, taskId: task_id, ended, complete, stats }));
      await database.write(async (tx) => {
        // Its project may be deleted meanwhile, and with it what was due.
        const still = await tx.selectFrom('host_ledger_due').select('id').where('id', '=', id).executeTakeFirst();
        if (still) await writeHosts(tx, project_id, runs);
      }, LOCK.hosts);
    }
    if (hosts.length < HOSTS) break;
    if (signal.aborted) return;
    await new Promise(setImmediate);
  }
  await database.read.deleteFrom('host_ledger_due').where('id', '=', id).execute();
  needs.onWritten(project_id);
};

const writeDue = async (needs: HostLedgerNeeds, signal: AbortSignal): Promise<void> => {
  const { database, onError } = needs;
  for (let after = 0; ; ) {
    const due = await database.read
      .selectFrom('host_ledger_due')
      .selectAll()
      .where('id', '>', after)
      .orderBy('id')
      .limit(RUNS)
      .execute();
    for (const run of due) {
      if (signal.aborted) return;
      // One run that cannot be read holds up none of the others.
      await write(needs, run, signal).catch(onError);
    }
    after = due.at(-1)?.id ?? after;
    if (due.length < RUNS) return;
  }
};

/**
 * Writes down what ended runs did to their hosts. The transaction that ends a task says that this is to be done, so a
 * crash loses none; doing it twice, or on two servers at once, writes the same.
 */
export const makeHostLedgerKeeper = (needs: HostLedgerNeeds): Sweeper =>
  new Sweeper((signal) => writeDue(needs, signal), needs.onError);
