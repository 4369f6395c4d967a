import type { Clock } from '../../clock.ts';
import type { Database } from '../../database/database.ts';
import type { Caller, Handlers } from '../../http/calls/call.ts';
import { isAdminOfProjects } from '../../http/calls/token-grant.ts';
import { ApiError, notFound } from '../../http/errors/api-error.ts';
import { sorted } from '../../http/objects/sorted.ts';
import type { ProveOwner } from '../../owner-proof.ts';
import {
  allTokens,
  insertToken,
  presentNewToken,
  presentTokens,
  removeAnyToken,
  removeToken,
  tokensOf,
} from './token.store.ts';
import type { Viewer } from './token-limits.ts';
import type { TokenUse } from './token-use.ts';

interface Deps {
  readonly database: Database;
  readonly clock: Clock;
  readonly use: TokenUse;
  readonly proveOwner: ProveOwner;
  /** Called when a token was revoked, so that its open connections end too. */
  readonly rightsChanged: () => void;
  /** Called when the list of all tokens has changed. */
  readonly tokensChanged: () => void;
}

type TokenRoutes =
  | 'listTokens'
  | 'createToken'
  | 'deleteToken'
  | 'listAllTokens'
  | 'revokeToken'
  | 'createServiceToken';

type OwnedRow = Awaited<ReturnType<typeof allTokens>>[number];

const ownerOf = (row: OwnedRow | undefined) => ({
  number: row?.id ?? 0,
  username: row?.username ?? '',
  service: row?.service === 1,
});

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
  tokensChanged,
}: Deps): Pick<Handlers, TokenRoutes> => ({
  listTokens: async ({ caller }) => {
    await use.written();
    return await presentTokens(database.read, await tokensOf(database.read, caller.id), viewerOf(caller), clock.now());
  },

  createToken: async (call) => {
    const { body, caller, actor } = call;
    await proveOwner(call, body.current_password, { orRecentSignIn: true });
    const now = clock.now();
    const made = await database.write((tx) => insertToken(tx, viewerOf(caller), body, actor, now));
    tokensChanged();
    return await presentNewToken(database.read, made, viewerOf(caller), now);
  },

  deleteToken: async ({ params, caller, actor }) => {
    await database.write(async (tx) => {
      if (!(await removeToken(tx, caller.id, params.token_id, actor, clock.now()))) throw notFound();
    });
    tokensChanged();
    rightsChanged();
  },

  listAllTokens: async ({ caller, query }) => {
    await use.written();
    const rows = await allTokens(database.read);
    const tokens = await presentTokens(database.read, rows, viewerOf(caller), clock.now());
    // Sorting compares numbers of rows with equal values, and the id of a token is text.
    const owned = tokens.map((token, i) => ({ id: rows[i]?.id ?? 0, token: { ...token, ...ownerOf(rows[i]) } }));
    const valueIn = (row: (typeof owned)[number], column: string) => row.token[column as 'name'];
    return sorted(owned, query, 'name', valueIn).map(({ token }) => token);
  },

  revokeToken: async ({ params, actor }) => {
    await database.write(async (tx) => {
      if (!(await removeAnyToken(tx, params.token_number, actor, clock.now()))) throw notFound();
    });
    tokensChanged();
    rightsChanged();
  },

  createServiceToken: async (call) => {
    const { params, body, caller, actor } = call;
    await proveOwner(call, body.current_password, { orRecentSignIn: true });
    const now = clock.now();
    const made = await database.write(async (tx) => {
      const user = await tx
        .selectFrom('users')
        .select(['id', 'admin', 'service'])
        .where('id', '=', params.user_id)
        .executeTakeFirst();
      if (!user) throw notFound();
      if (user.service !== 1) throw new ApiError('conflict.service_account_needed');
      return await insertToken(tx, { id: user.id, isAdmin: user.admin === 1 }, body, actor, now);
    });
    tokensChanged();
    return await presentNewToken(database.read, made, viewerOf(caller), now);
  },
});
