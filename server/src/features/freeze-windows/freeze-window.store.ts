import { type FreezeWindow, MAX_FREEZE_WINDOWS } from '@signalbox/contract';
import { recordCreated } from '../../audit/object-event.ts';
import type { Actor } from '../../audit/record-event.ts';
import type { StateTransaction } from '../../database/database.ts';
import { type FreezeWindowRow, timeAt } from '../../freeze/freeze-times.ts';
import { refuseFull } from '../../http/objects/refuse-full.ts';
import type { FreezeWindowInput } from './freeze-window-input.ts';

/** @throws conflict when the project has the maximum number of freeze windows */
export const insertFreezeWindow = async (
  tx: StateTransaction,
  projectId: number,
  input: FreezeWindowInput,
  actor: Actor,
  now: Date,
): Promise<FreezeWindowRow> => {
  await refuseFull(tx, 'freeze_window', projectId, MAX_FREEZE_WINDOWS, {
    code: 'conflict.freeze_windows_full',
    params: { max: MAX_FREEZE_WINDOWS },
  });
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
