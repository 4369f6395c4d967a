import type { SurveyVariable } from '@signalbox/contract';
import { isOwner } from '../../access/memberships.ts';
import type { StateTransaction } from '../../database/database.ts';
import type { Membership } from '../../http/calls/call.ts';
import { ApiError, badField } from '../../http/errors/api-error.ts';

/** What decides who sees a template, and what starts its tasks. */
interface Restriction {
  readonly restricted: boolean;
  readonly view_id: number | null;
  readonly build_template_id: number | null;
  readonly autorun: boolean;
  readonly type: string;
  readonly labels: readonly number[];
  readonly survey_vars: readonly { readonly source?: SurveyVariable['source'] | undefined }[];
}

/** A new template. */
export const NEW_TEMPLATE: Restriction = {
  ...{
    restricted: false,
    view_id: null,
    build_template_id: null,
    autorun: false,
    type: '',
    labels: [],
    survey_vars: [],
  },
};

/** The build templates whose versions are choices of the survey, with the number of the variable. */
const buildsOf = ({ survey_vars }: Restriction): { readonly index: number; readonly id: number }[] =>
  survey_vars.flatMap(({ source }, index) =>
    source?.type === 'versions' && source.template_id !== null ? [{ index, id: source.template_id }] : [],
  );

/** What a grant to edit does not permit to change: who sees the template, and what starts or freezes its tasks. */
const OF_OWNERS = ['view_id', 'build_template_id', 'autorun', 'type', 'labels'] as const;

/**
 * Lets only owners change who sees a template: by restricting it, or by moving it from or to a restricted view. A user who
 * may edit the template only by a grant can neither move it nor change what starts its tasks.
 * @throws not_permitted.restriction, or bad_input for a view or a build that the caller must not see
 */
export const checkRestriction = async (
  tx: StateTransaction,
  { permissions, grants, access }: Membership,
  before: Restriction,
  after: Restriction,
): Promise<void> => {
  if (isOwner(permissions)) return;
  const changed = OF_OWNERS.filter((name) => String(before[name]) !== String(after[name]));
  if (changed.includes('view_id') && access?.hiddenViews.has(after.view_id ?? 0))
    throw badField('view_id', 'field.not_of_project');
  if (changed.includes('build_template_id') && access?.hidden.has(after.build_template_id ?? 0))
    throw badField('build_template_id', 'field.not_of_project');
  const known = buildsOf(before).map(({ id }) => id);
  const hidden = buildsOf(after).find(({ id }) => access?.hidden.has(id) && !known.includes(id));
  // The answer for an unknown template.
  if (hidden) throw badField(`survey_vars.${hidden.index}.source.template_id`, 'field.build_template');
  if (before.restricted !== after.restricted || (grants && changed.length > 0))
    throw new ApiError('not_permitted.restriction');
  const views = [before.view_id, after.view_id].filter((id) => id !== null);
  if (!changed.includes('view_id') || views.length === 0) return;
  const restricted = await tx
    .selectFrom('view')
    .select('id')
    .where('id', 'in', views)
    .where('restricted', '=', 1)
    .executeTakeFirst();
  if (restricted) throw new ApiError('not_permitted.restriction');
};
