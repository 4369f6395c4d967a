import { type Database, LOCK } from '../../database/database.ts';
import type { LogStore } from '../log-store.ts';
import { endAllInterrupted, type LogMoverDeps, removeUnneeded } from './log-mover.ts';
import type { LogObject } from './log-object.store.ts';

/** Objects per query. */
const PAGE = 100;

const someStored = ({ read }: Pick<Database, 'read'>): Promise<LogObject[]> =>
  read.selectFrom('log_object').selectAll().where('stage', '=', 'stored').orderBy('name').limit(PAGE).execute();

/** Stores that the log of an object is in the database again, and that the object is no longer needed. */
const storeMovedBack = (database: Database, { name, task_id }: LogObject): Promise<void> =>
  database.write(async (tx) => {
    await tx.updateTable('task').set({ log_moved: 0 }).where('id', '=', task_id).execute();
    await tx.updateTable('log_object').set({ stage: 'removing' }).where('name', '=', name).execute();
  });

type BackDeps = LogMoverDeps & { readonly logs: Pick<LogStore, 'moveBack'> };

const moveStored = async (deps: BackDeps, onMoved: () => void): Promise<number> => {
  let count = 0;
  for (;;) {
    const objects = await someStored(deps.database);
    if (objects.length === 0) return count;
    for (const object of objects) {
      await deps.logs.moveBack(object.task_id);
      await storeMovedBack(deps.database, object);
      onMoved();
      count += 1;
    }
  }
};

/**
 * Moves all logs back into the database, also those of interrupted moves, and removes their objects.
 * @returns the number of logs; undefined if a server is moving logs
 */
export const moveAllBack = async (deps: BackDeps, onMoved: () => void): Promise<number | undefined> => {
  const { signal } = new AbortController();
  let count: number | undefined;
  await deps.database.alone(async () => {
    await endAllInterrupted(deps, signal);
    count = await moveStored(deps, onMoved);
    await removeUnneeded(deps, signal);
  }, LOCK.logMoves);
  return count;
};
