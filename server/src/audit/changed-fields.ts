/** Columns that are derived from others, so their changes are not recorded. */
const DERIVED = new Set([
  'delay_seconds',
  'email_key',
  'email_proven',
  'language',
  'last_due',
  'lost_at_import',
  'next_due',
  'problem_kind',
  'problem_params',
  'problem_time',
  'revision',
  'seen_commit',
  'timezone',
  'username_key',
]);

/**
 * Parameters of the event of a change.
 * @param values the columns that were written
 * @returns `fields`: the names of the changed columns, never their values. `old_name` if the name changed.
 */
export const changeParams = (
  before: object,
  values: object,
  { name, oldName }: { readonly name: string; readonly oldName: string },
): { readonly fields?: string; readonly old_name?: string } => {
  const old = new Map(Object.entries(before));
  const fields = Object.entries(values)
    .filter(([column, value]) => !DERIVED.has(column) && value !== old.get(column))
    .map(([column]) => column);
  return {
    ...(oldName === name ? {} : { old_name: oldName }),
    ...(fields.length === 0 ? {} : { fields: fields.join(', ') }),
  };
};
