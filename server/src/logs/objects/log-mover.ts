import { randomBytes } from 'node:crypto';
import type { Clock } from '../../clock.ts';
import { type Database, LOCK } from '../../database/database.ts';
import { makeSweeper, type WorkerLoop } from '../../worker-loop.ts';
import type { LogStore } from '../log-store.ts';
import { partName } from './block-source.ts';
import {
  deleteLogObject,
  dueBefore,
  finishObject,
  insertObject,
  type LogObject,
  queueObject,
  setMoved,
  tasksToMove,
  unfinishedObjects,
} from './log-object.store.ts';
import { clearFailure, type LogStoreRow, storeFailure } from './log-store-row.ts';
import { logStoreProblem, type ObjectStore } from './object-store.ts';
import { checkMarker } from './store-marker.ts';

export interface LogMoverDeps {
  readonly database: Database;
  readonly logs: Pick<LogStore, 'moveSize' | 'move' | 'stopMoves' | 'endMove'>;
  readonly store: ObjectStore;
  readonly row: Pick<LogStoreRow, 'installation'>;
  readonly clock: Pick<Clock, 'now'>;
  /** Hours between the end of a task and the move of its log; undefined moves none. */
  readonly afterHours: number | undefined;
  /** Removes some objects that no row names. */
  readonly searchOrphans?: (signal: AbortSignal) => Promise<void>;
  /** Called after a log was moved. */
  readonly onMoved?: () => void;
  readonly onError: (error: unknown) => void;
}

/** Tasks in one folder or prefix. */
const GROUP = 1_000;

/** A new name for the object of a log. Names are never used twice, because the key of an object depends on it. */
const nameOf = (taskId: number): string =>
  `logs/${Math.floor(taskId / GROUP)}/${taskId}-${randomBytes(8).toString('hex')}`;

/**
 * Moves the log of one task. Interrupted, the next round finds the object by its row.
 * @returns false if the log is to be moved later
 */
const moveOne = async (deps: LogMoverDeps, taskId: number): Promise<boolean> => {
  const { database, logs, clock } = deps;
  const size = await logs.moveSize(taskId);
  if (!size) {
    await setMoved(database, taskId);
    return true;
  }
  const object = { name: nameOf(taskId), task_id: taskId, created: clock.now().toISOString(), ...size };
  await insertObject(database, object);
  const isMoved = await logs.move(taskId, object.name);
  await (isMoved ? finishObject(database, object) : queueObject(database, object.name));
  return isMoved;
};

/** Ends what a crash or a failure interrupted. */
const endInterrupted = async ({ database, logs }: LogMoverDeps, object: LogObject): Promise<void> => {
  const isMoved = await logs.endMove(object.task_id, object.name);
  await (isMoved ? finishObject(database, object) : queueObject(database, object.name));
};

const removeObject = async ({ database, store }: LogMoverDeps, { name, parts }: LogObject): Promise<void> => {
  for (let part = 1; part <= parts; part++) await store.remove(partName(name, part));
  await deleteLogObject(database, name);
};

const forEachUnfinished = async (
  { database }: LogMoverDeps,
  stage: 'writing' | 'removing',
  signal: AbortSignal,
  work: (object: LogObject) => Promise<void>,
): Promise<void> => {
  for (let after = ''; !signal.aborted; ) {
    const objects = await unfinishedObjects(database, stage, after);
    for (const object of objects) {
      if (signal.aborted) return;
      await work(object);
    }
    const last = objects.at(-1);
    if (!last) return;
    after = last.name;
  }
};

const moveDue = async (deps: LogMoverDeps, hours: number, signal: AbortSignal): Promise<void> => {
  const before = dueBefore(hours, deps.clock.now());
  const failed = new Set<number>();
  while (!signal.aborted) {
    const ids = await tasksToMove(deps.database, before, failed);
    if (ids.length === 0) return;
    for (const id of ids) {
      if (signal.aborted) return;
      try {
        if (await moveOne(deps, id)) deps.onMoved?.();
        else failed.add(id);
      } catch (error) {
        // A store that does not work is of no use for the other logs either. Any other error concerns this log only.
        if (logStoreProblem(error) !== undefined) throw error;
        deps.onError(error);
        failed.add(id);
      }
    }
  }
};

/** Removes the objects that are no longer needed. */
export const removeUnneeded = (deps: LogMoverDeps, signal: AbortSignal): Promise<void> =>
  forEachUnfinished(deps, 'removing', signal, (object) => removeObject(deps, object));

/** Ends moves that were interrupted. The log of each is in its object or in the database afterwards. */
export const endAllInterrupted = (deps: LogMoverDeps, signal: AbortSignal): Promise<void> =>
  forEachUnfinished(deps, 'writing', signal, (object) => endInterrupted(deps, object));

/** Ends interrupted moves, removes objects that are no longer needed, and moves logs that are due. */
const sweepStore = async (deps: LogMoverDeps, signal: AbortSignal): Promise<void> => {
  await checkMarker(deps.store, deps.row);
  await endAllInterrupted(deps, signal);
  await removeUnneeded(deps, signal);
  if (deps.afterHours !== undefined) await moveDue(deps, deps.afterHours, signal);
  // Objects whose logs were removed during the moves.
  await removeUnneeded(deps, signal);
  await deps.searchOrphans?.(signal);
};

/**
 * Does everything that is due, on one server at a time, and stores whether it failed.
 * @returns false if another server is doing it
 */
export const sweepLogs = async (deps: LogMoverDeps, signal: AbortSignal): Promise<boolean> => {
  const { database, logs, clock, onError } = deps;
  let isAlone = false;
  const stop = () => void logs.stopMoves().catch(onError);
  await database.alone(async () => {
    isAlone = true;
    signal.addEventListener('abort', stop, { once: true });
    try {
      await sweepStore(deps, signal);
      await clearFailure(database);
    } catch (error) {
      // An aborted move is ended after the next start.
      if (signal.aborted && logStoreProblem(error) !== undefined) return;
      if (logStoreProblem(error) !== undefined)
        await storeFailure(database, error instanceof Error ? error.message : String(error), clock.now());
      throw error;
    } finally {
      signal.removeEventListener('abort', stop);
    }
  }, LOCK.logMoves);
  return isAlone;
};

/** Creates the loop that moves logs to the store, and removes objects from it. */
export const makeLogMover = (deps: LogMoverDeps): WorkerLoop =>
  makeSweeper((signal) => sweepLogs(deps, signal), deps.onError);
