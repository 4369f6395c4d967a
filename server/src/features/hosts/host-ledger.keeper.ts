import type { RunHosts, RunSummary } from '@signalbox/contract';
import type { Selectable } from 'kysely';
import { type Database, LOCK } from '../../database/database.ts';
import type { HostLedgerDueTable } from '../../database/schema.ts';
import { makeSweeper, type WorkerLoop } from '../../worker-loop.ts';
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

/** How often a run that cannot be read keeps its log from being removed, as long as one keeper lives. */
const ATTEMPTS = 5;

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
  await database.autocommit.deleteFrom('host_ledger_due').where('id', '=', id).execute();
  needs.onWritten(project_id);
};

/** A run that nobody can read stays due only while its log does: what is to be removed must not stay for ever. */
const giveUp = async (
  { database }: HostLedgerNeeds,
  { id, task_id }: Selectable<HostLedgerDueTable>,
): Promise<void> => {
  await database.autocommit
    .deleteFrom('host_ledger_due')
    .where('id', '=', id)
    .where((eb) => eb.exists(eb.selectFrom('log_removal').select('id').where('task_id', '=', task_id)))
    .execute();
};

/** @param failures how often each run could not be written down, by the id of its row */
const writeDue = async (needs: HostLedgerNeeds, failures: Map<number, number>, signal: AbortSignal): Promise<void> => {
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
      try {
        await write(needs, run, signal);
        failures.delete(run.id);
      } catch (error) {
        // One run that cannot be read holds up none of the others.
        onError(error);
        const count = (failures.get(run.id) ?? 0) + 1;
        failures.set(run.id, count);
        if (count >= ATTEMPTS) await giveUp(needs, run).catch(onError);
      }
    }
    after = due.at(-1)?.id ?? after;
    if (due.length < RUNS) return;
  }
};

/**
 * Writes down what ended runs did to their hosts. The transaction that ends a task says that this is to be done, so a
 * crash loses none; doing it twice, or on two servers at once, writes the same.
 */
export const makeHostLedgerKeeper = (needs: HostLedgerNeeds): WorkerLoop => {
  const failures = new Map<number, number>();
  return makeSweeper((signal) => writeDue(needs, failures, signal), needs.onError);
};
