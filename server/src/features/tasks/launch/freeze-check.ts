import type { StateTransaction } from '../../../database/database.ts';
import { FrozenError } from '../../../freeze/frozen-error.ts';
import { findFreeze } from '../../../freeze/read-freeze.ts';
import type { Launch } from './task-launch.ts';

/** The columns of a task with the freeze window in which it was started, and why. */
export interface FreezeColumns {
  readonly freeze_window: string;
  readonly freeze_reason: string;
}

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
  if (!freeze) return { freeze_window: '', freeze_reason: '' };
  const isPerson = actor.userId !== null && scheduleName === undefined && webhook === undefined;
  if (!isPerson) throw new FrozenError('conflict.frozen_automatic', freeze);
  if (!mayOverride) throw new FrozenError('not_permitted.frozen', freeze);
  const given = earlier?.freeze_window === freeze.window.name ? earlier.freeze_reason : '';
  const reason = request.freeze_reason || given;
  if (reason === '') throw new FrozenError('conflict.frozen', freeze);
  return { freeze_window: freeze.window.name, freeze_reason: reason };
};
