import type { Clock } from '../../clock.ts';
import type { Database } from '../../database/database.ts';
import type { Caller, Handlers } from '../../http/calls/call.ts';
import { isAdminOfProjects } from '../../http/calls/token-grant.ts';
import { notFound } from '../../http/errors/api-error.ts';
import type { ProveOwner } from '../../owner-proof.ts';
import { insertToken, presentNewToken, presentTokens, removeToken, tokensOf } from './token.store.ts';
import type { Viewer } from './token-limits.ts';
import type { TokenUse } from './token-use.ts';

interface Deps {
  readonly database: Database;
  readonly clock: Clock;
  readonly use: TokenUse;
  readonly proveOwner: ProveOwner;
  /** Called when a token was revoked, so that its open connections end too. */
  readonly rightsChanged: () => void;
}

const viewerOf = (caller: Caller): Viewer => ({
  id: caller.id,
  isAdmin: isAdminOfProjects(caller),
  projects: caller.token?.projects,
});

export const tokensRoutes = ({
  database,
  clock,
  use,
  proveOwner,
  rightsChanged,
}: Deps): Pick<Handlers, 'listTokens' | 'createToken' | 'deleteToken'> => ({
  listTokens: async ({ caller }) => {
    await use.written();
    return await presentTokens(database.read, await tokensOf(database.read, caller.id), viewerOf(caller), clock.now());
  },

  createToken: async (call) => {
    const { body, caller, actor } = call;
    await proveOwner(call, body.current_password, { orRecentSignIn: true });
    const now = clock.now();
    const made = await database.write((tx) => insertToken(tx, viewerOf(caller), body, actor, now));
    return await presentNewToken(database.read, made, viewerOf(caller), now);
  },

  deleteToken: async ({ params, caller, actor }) => {
    await database.write(async (tx) => {
      if (!(await removeToken(tx, caller.id, params.token_id, actor, clock.now()))) throw notFound();
    });
    rightsChanged();
  },
});
