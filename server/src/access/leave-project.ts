import type { StateTransaction } from '../database/database.ts';
import { UNASSIGNED } from '../failures/assignment-columns.ts';

/**
 * Ends a membership, with the grants of the user, so that none returns with the user, and with the failures that the user
 * takes care of.
 */
export const leaveProject = async (tx: StateTransaction, projectId: number, userId: number): Promise<void> => {
  for (const table of ['access_grant', 'project_user'] as const)
    await tx.deleteFrom(table).where('project_id', '=', projectId).where('user_id', '=', userId).execute();
  await tx
    .updateTable('failure')
    .set(UNASSIGNED)
    .where('project_id', '=', projectId)
    .where('assignee_id', '=', userId)
    .execute();
};
