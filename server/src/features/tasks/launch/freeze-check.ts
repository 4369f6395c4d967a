import type { Selectable } from 'kysely';
import type { StateTransaction } from '../../../database/database.ts';
import type { TaskTable } from '../../../database/task.schema.ts';
import { FrozenError } from '../../../freeze/frozen-error.ts';
import { findFreeze } from '../../../freeze/read-freeze.ts';
import type { Launch } from './task-launch.ts';

/** The columns of a task with the time of a freeze window in which it was started, and why. */
type FreezeColumns = Pick<
  Selectable<TaskTable>,
  'freeze_window' | 'freeze_window_id' | 'freeze_from' | 'freeze_reason'
>;

const NOT_FROZEN: FreezeColumns = { freeze_window: '', freeze_window_id: null, freeze_from: null, freeze_reason: '' };

/** What decides whether a task may start in a freeze window. */
type FrozenStart = Pick<Launch, 'projectId' | 'actor' | 'mayOverride' | 'scheduleName' | 'webhook' | 'now'> & {
  readonly request: Pick<Launch['request'], 'template_id' | 'freeze_reason'>;
  /** The window in which the task was requested, and the reason that was given then. */
  readonly earlier?: FreezeColumns;
};

/**
 * Refuses to start a task in a freeze window. Only users who may edit the template by their role may do so, with a reason.
 * @throws FrozenError naming the window, its reason and its end
 */
export const checkFreeze = async (
  tx: StateTransaction,
  { projectId, request, actor, mayOverride, scheduleName, webhook, earlier, now }: FrozenStart,
  inventoryId: number | null,
): Promise<FreezeColumns> => {
  const freeze = await findFreeze(tx, projectId, { templateId: request.template_id, inventoryId }, now);
  if (!freeze) return NOT_FROZEN;
  const isPerson = actor.userId !== null && scheduleName === undefined && webhook === undefined;
  if (!isPerson) throw new FrozenError('conflict.frozen_automatic', freeze);
  if (!mayOverride) throw new FrozenError('not_permitted.frozen', freeze);
  const { window, from } = freeze;
  const time = { freeze_window: window.name, freeze_window_id: window.id, freeze_from: from.toISOString() };
  // The reason for another window, or for another time of the same one, is none for this one.
  const isSame =
    earlier?.freeze_window_id === window.id &&
    earlier.freeze_from === time.freeze_from &&
    earlier.freeze_window === window.name;
  const reason = request.freeze_reason || (isSame ? earlier.freeze_reason : '');
  if (reason === '') throw new FrozenError('conflict.frozen', freeze);
  return { ...time, freeze_reason: reason };
};
