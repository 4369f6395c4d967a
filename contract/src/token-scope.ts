import { z } from 'zod';
import type { RouteShape } from './route.ts';

/** What an API token is for. */
export const TokenScope = z.enum(['read', 'run', 'metrics', 'everything']);
export type TokenScope = z.infer<typeof TokenScope>;

/** The kinds of calls that each scope permits. */
const PERMITS: Readonly<Record<TokenScope, readonly TokenScope[]>> = {
  read: ['read', 'metrics'],
  run: ['read', 'metrics', 'run'],
  metrics: ['metrics'],
  everything: ['read', 'metrics', 'run', 'everything'],
};

/** The kind of a call, which its method and permission decide unless the route names it. */
export const callKindOf = ({ method, permission, callKind }: RouteShape): TokenScope => {
  if (callKind !== undefined) return callKind;
  if (method === 'GET') return 'read';
  const right = permission.kind === 'project' ? permission.right : undefined;
  return right === 'run_tasks' || right === 'stop_tasks' ? 'run' : 'everything';
};

/** Whether a token with these scopes may make calls of a kind. */
export const scopesPermit = (scopes: readonly TokenScope[], kind: TokenScope): boolean =>
  scopes.some((scope) => PERMITS[scope].includes(kind));
