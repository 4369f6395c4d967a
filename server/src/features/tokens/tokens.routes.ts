import type { Clock } from '../../clock.ts';
import type { Database } from '../../database/database.ts';
import type { Handlers } from '../../http/calls/call.ts';
import { notFound } from '../../http/errors/api-error.ts';
import type { ProveOwner } from '../../owner-proof.ts';
import { insertToken, presentToken, removeToken } from './token.store.ts';

interface Deps {
  readonly database: Database;
  readonly clock: Clock;
  readonly proveOwner: ProveOwner;
  /** Called when a token was revoked, so that its open connections end too. */
  readonly rightsChanged: () => void;
}

export const tokensRoutes = ({
  database,
  clock,
  proveOwner,
  rightsChanged,
}: Deps): Pick<Handlers, 'listTokens' | 'createToken' | 'deleteToken'> => ({
  listTokens: async ({ caller }) => {
    const rows = await database.read
      .selectFrom('api_token')
      .selectAll()
      .where('user_id', '=', caller.id)
      .orderBy('id')
      .execute();
    return rows.map((row) => presentToken(row, clock.now()));
  },

  createToken: async (call) => {
    const { body, caller, actor } = call;
    await proveOwner(call, body.current_password, { orRecentSignIn: true });
    const now = clock.now();
    const { row, token } = await database.write((tx) => insertToken(tx, caller.id, body, actor, now));
    return { ...presentToken(row, now), id: token, token };
  },

  deleteToken: async ({ params, caller, actor }) => {
    await database.write(async (tx) => {
      if (!(await removeToken(tx, caller.id, params.token_id, actor, clock.now()))) throw notFound();
    });
    rightsChanged();
  },
});
