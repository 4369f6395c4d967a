import { callKindOf, type GrantRight, holds, type RouteShape } from '@signalbox/contract';
import type { AccessOfMember, GrantRow } from '../../access/access.ts';
import type { StateReader } from '../../database/database.ts';
import { OBJECTS_OF_TEMPLATES } from '../../database/queries/objects-of-templates.ts';
import { ApiError, badField, notFound } from '../errors/api-error.ts';
import type { Caller, Membership } from './call.ts';
import { mayRun } from './token-grant.ts';

interface TemplateCall {
  readonly params: object;
  readonly body: unknown;
  readonly membership: Membership | undefined;
}

/** A template that a call names: by a field of the body, or by its path, where `field` is undefined. */
interface NamedTemplate {
  readonly id: number;
  readonly field?: string;
}

const templatesOf = async (db: StateReader, { params, body }: TemplateCall): Promise<NamedTemplate[]> => {
  const path = params as Readonly<Record<string, number | undefined>>;
  const fields = (body ?? {}) as Readonly<Record<string, unknown>>;
  const named: NamedTemplate[] = path.template_id === undefined ? [] : [{ id: path.template_id }];
  for (const table of OBJECTS_OF_TEMPLATES) {
    const id = path[`${table}_id`];
    if (id === undefined) continue;
    const row = await db
      .selectFrom(table)
      .select('template_id')
      .where('id', '=', id)
      .where('project_id', '=', path.project_id ?? 0)
      .executeTakeFirst();
    if (row?.template_id) named.push({ id: row.template_id });
  }
  if (typeof fields.template_id === 'number') named.push({ id: fields.template_id, field: 'template_id' });
  return named;
};

/** The rights of roles that do not apply to restricted templates. */
const OF_TEMPLATES = new Set(['run_tasks', 'stop_tasks', 'approve_tasks', 'edit_templates', 'edit_schedules']);

/**
 * Applies restrictions and grants to one template: one that the caller must not see is answered like one that does not
 * exist.
 * @returns the grants that permit the call if the role does not
 * @throws not_permitted, not_found or bad_input
 */
const permittingGrants = (
  { access, permissions }: Membership,
  { permission }: RouteShape,
  { id, field }: NamedTemplate,
): readonly GrantRow[] => {
  if (!access || permission.kind !== 'project') return [];
  const { right, grant } = permission;
  const byRole = right === undefined || holds(permissions, right);
  if (access.hidden.has(id)) {
    if (!byRole) throw new ApiError('not_permitted');
    throw field === undefined ? notFound() : badField(field, 'field.not_of_project');
  }
  if (right === undefined || !OF_TEMPLATES.has(right)) return [];
  const { allowed, reason, grants } = access.decide(id, grant ?? 'see', byRole);
  if (reason === 'role') return [];
  if (grant === undefined || !allowed) {
    if (reason === 'no_right') throw new ApiError('not_permitted');
    // No grant includes what only the role permits.
    throw new ApiError(grant === undefined ? 'not_permitted.restriction_owners' : 'not_permitted.restriction');
  }
  return grants;
};

const withGrants = (membership: Membership, grants: readonly GrantRow[]): Membership =>
  grants.length === 0 ? membership : { ...membership, grants };

/**
 * Decides about the template of one selected object, as a call does that names only this template.
 * @returns the membership, with the grants that permit the call if the role does not
 * @throws not_permitted or not_found
 */
export const permitTemplate = (
  route: RouteShape,
  { caller, membership }: { readonly caller: Caller | undefined; readonly membership: Membership | undefined },
  id: number,
): Membership => {
  if (!membership) throw notFound();
  if (caller?.token && callKindOf(route) === 'run' && !mayRun(caller.token, id))
    throw new ApiError('not_permitted.token_template');
  return withGrants(membership, permittingGrants(membership, route, { id }));
};

/** Whether a member without the right of the role has a grant on one of the selected templates. */
const isAnyGranted = (access: AccessOfMember, grant: GrantRight | undefined, body: unknown): boolean => {
  const { ids = [] } = (body ?? {}) as { readonly ids?: readonly number[] };
  return grant !== undefined && ids.some((id) => access.decide(id, grant, false).allowed);
};

/**
 * Applies restrictions and grants to the templates that a call names.
 * @returns the membership, with the grants that permit the call if the role does not
 * @throws not_permitted, not_found or bad_input
 */
export const authorizeTemplates = async (
  db: StateReader,
  route: RouteShape,
  call: TemplateCall,
): Promise<Membership | undefined> => {
  const { membership } = call;
  const { permission } = route;
  if (!membership?.access || permission.kind !== 'project') return membership;
  const { right, grant } = permission;
  const byRole = right === undefined || holds(membership.permissions, right);
  if (route.selects) {
    if (!byRole && !isAnyGranted(membership.access, grant, call.body)) throw new ApiError('not_permitted');
    return membership;
  }
  const named = await templatesOf(db, call);
  const grants = named.flatMap((template) => permittingGrants(membership, route, template));
  if (named.length === 0 && !byRole) throw new ApiError('not_permitted');
  return withGrants(membership, grants);
};
