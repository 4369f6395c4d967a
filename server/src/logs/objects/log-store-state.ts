import type { System } from '@signalbox/contract';
import type { Database } from '../../database/database.ts';
import { readDue, readTotals } from './log-object-totals.ts';
import { readLogStoreRow } from './log-store-row.ts';
import type { OpenLogStore } from './open-log-store.ts';
import { checkMarker } from './store-marker.ts';

/** A store that has not answered by then is shown as one that does not answer, in milliseconds. */
const ANSWER_MS = 1_500;

const answers = async ({ store, row }: Pick<OpenLogStore, 'store' | 'row'>): Promise<boolean> => {
  const { promise: tooLong, resolve } = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => resolve(false), ANSWER_MS);
  const check = checkMarker(store, row).then(
    () => true,
    () => false,
  );
  try {
    return await Promise.race([check, tooLong]);
  } finally {
    clearTimeout(timer);
  }
};

/**
 * Reads how many logs are in the log store and in the database, and whether the store answers.
 * @param afterHours hours after which logs are due; undefined moves none
 */
export const readLogStoreState = async (
  database: Database,
  opened: OpenLogStore,
  afterHours: number | undefined,
  now: Date,
): Promise<NonNullable<System['log_store']>> => {
  const [{ moved, bytes, waiting: unmoved, removing }, { waiting }, row] = await Promise.all([
    readTotals(database, now.toISOString()),
    readDue(database, afterHours, now),
    readLogStoreRow(database),
  ]);
  return {
    address: opened.store.address,
    answers: await answers(opened),
    ...{ moved, bytes, unmoved, waiting, removing },
    orphans: Number(row?.orphans ?? 0),
    failing_since: row?.failing_since ?? null,
    failure: row?.failure ?? null,
  };
};
