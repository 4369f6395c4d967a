import type { StateTransaction } from '../database/database.ts';
import { UNASSIGNED } from '../failures/assignment-columns.ts';

/** Removes a member with their grants and their failures. A user who joins again starts without them. */
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
