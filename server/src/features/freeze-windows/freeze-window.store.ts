import { type FreezeWindow, MAX_FREEZE_WINDOWS } from '@signalbox/contract';
import { recordCreated } from '../../audit/object-event.ts';
import type { Actor } from '../../audit/record-event.ts';
import type { StateTransaction } from '../../database/database.ts';
import { type FreezeWindowRow, timeAt } from '../../freeze/freeze-times.ts';
import { ApiError } from '../../http/errors/api-error.ts';
import type { FreezeWindowInput } from './freeze-window-input.ts';

/** @throws conflict when the project has the maximum number of freeze windows */
export const insertFreezeWindow = async (
  tx: StateTransaction,
  projectId: number,
  input: FreezeWindowInput,
  actor: Actor,
  now: Date,
): Promise<FreezeWindowRow> => {
  const { count } = await tx
    .selectFrom('freeze_window')
    .select((eb) => eb.fn.countAll().as('count'))
    .where('project_id', '=', projectId)
    .executeTakeFirstOrThrow();
  if (Number(count) >= MAX_FREEZE_WINDOWS)
    throw new ApiError('conflict.freeze_windows_full', { max: MAX_FREEZE_WINDOWS });
  const row = await tx
    .insertInto('freeze_window')
    .values({ project_id: projectId, ...input })
    .returningAll()
    .executeTakeFirstOrThrow();
  await recordCreated(tx, 'freeze_window', row, actor, now);
  return row;
};

/** A freeze window as calls answer it. */
export const presentFreezeWindow = (row: FreezeWindowRow, now: Date): FreezeWindow => {
  const time = timeAt(row, now);
  return { ...row, current: time ? { from: time.from.toISOString(), to: time.to.toISOString() } : null };
};
