import { callKindOf, type RouteShape, scopesPermit, type TokenScope } from '@signalbox/contract';
import type { StateReader } from '../../database/database.ts';
import { ApiError } from '../errors/api-error.ts';
import type { Caller } from './call.ts';

/** An API token, which only takes rights away from its user. */
export interface TokenGrant {
  readonly id: number;
  readonly name: string;
  readonly scopes: readonly TokenScope[];
  /** Ids of the projects to which the token is restricted; undefined for all of its user. */
  readonly projects: ReadonlySet<number> | undefined;
  /** Ids of the templates whose tasks it may start and stop; undefined for all. */
  readonly templates: ReadonlySet<number> | undefined;
  readonly isOfAdmin: boolean;
}

/** Whether a caller may enter a project, as far as the token decides. */
export const reaches = (token: TokenGrant | undefined, projectId: number): boolean =>
  token?.projects?.has(projectId) ?? true;

/** Whether a caller has every permission in the projects that the token reaches. */
export const isAdminOfProjects = ({ admin, token }: Caller): boolean => admin || token?.isOfAdmin === true;

/** Whether a token that is restricted to projects may make a call: in a project, or a read that every user may make. */
const staysInProjects = ({ method, permission }: RouteShape): boolean =>
  permission.kind === 'project' || (permission.kind === 'user' && method === 'GET');

/** @throws not_permitted.token_scope or not_permitted.token_projects */
export const refuseKind = (route: RouteShape, { scopes, projects }: TokenGrant): void => {
  const kind = callKindOf(route);
  if (!scopesPermit(scopes, kind)) throw new ApiError('not_permitted.token_scope', { needed: kind });
  if (projects && !staysInProjects(route)) throw new ApiError('not_permitted.token_projects');
};

/** Whether a token may run a template; false for a call that names none, unless the token may run all. */
export const mayRun = ({ templates }: TokenGrant, templateId: number | undefined): boolean =>
  templates === undefined || (templateId !== undefined && templates.has(templateId));

interface TemplateCall {
  readonly caller: Caller | undefined;
  readonly params: object;
  readonly body: unknown;
}

interface Named {
  readonly project_id?: number;
  readonly template_id?: number;
  readonly task_id?: number;
}

/** The template that a call runs: the one that its path or body names, or that of the named task. */
const templateOf = async (db: StateReader, { params, body }: TemplateCall): Promise<number | undefined> => {
  const { project_id = 0, template_id, task_id }: Named = { ...(body as Named), ...params };
  if (template_id !== undefined || task_id === undefined) return template_id;
  const task = await db
    .selectFrom('task')
    .select('template_id')
    .where('id', '=', task_id)
    .where('project_id', '=', project_id)
    .executeTakeFirst();
  return task?.template_id;
};

/**
 * Refuses to run a template that is not among those of the token. A call that names neither a template nor a task is
 * refused too.
 * @throws not_permitted.token_template
 */
export const refuseOtherTemplate = async (db: StateReader, route: RouteShape, call: TemplateCall): Promise<void> => {
  const token = call.caller?.token;
  if (!token?.templates || route.selects || callKindOf(route) !== 'run') return;
  if (!mayRun(token, await templateOf(db, call))) throw new ApiError('not_permitted.token_template');
};
