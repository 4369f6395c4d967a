/** The columns of a failure that no one takes care of. */
export const UNASSIGNED = { assignee_id: null, assigned_by: '', assigned_at: null, assignment_note: '' } as const;
