import type { StateTransaction } from '../../database/database.ts';
import { belongsTo } from '../../database/queries/same-project.ts';
import { hiddenFrom, type Membership } from '../../http/calls/call.ts';
import { badField } from '../../http/errors/api-error.ts';
import type { SavedFilterInput } from './saved-filter.store.ts';

/** Whether the user is a member of the project, or started one of its tasks. */
const isOfProject = async (tx: StateTransaction, projectId: number, userId: number): Promise<boolean> => {
  for (const table of ['project_user', 'task'] as const) {
    const row = await tx
      .selectFrom(table)
      .select('user_id')
      .where('project_id', '=', projectId)
      .where('user_id', '=', userId)
      .limit(1)
      .executeTakeFirst();
    if (row) return true;
  }
  return false;
};

/** @throws bad_input for a template or a user that is not of the project, or a template that the caller must not see */
export const checkFilter = async (
  tx: StateTransaction,
  { template_id, user_id }: SavedFilterInput['filter'],
  membership: Membership,
): Promise<void> => {
  const { projectId } = membership;
  if (
    template_id !== null &&
    (hiddenFrom(membership).has(template_id) || !(await belongsTo(tx, 'template', template_id, projectId)))
  )
    throw badField('filter.template_id', 'field.not_of_project');
  if (user_id !== null && !(await isOfProject(tx, projectId, user_id)))
    throw badField('filter.user_id', 'field.not_of_project');
};
