import { type Actor, recordEvent } from '../../audit/record-event.ts';
import type { Clock } from '../../clock.ts';
import type { Database, StateTransaction } from '../../database/database.ts';
import { notFound } from '../../http/api-error.ts';
import type { Handlers } from '../../http/call.ts';
import { newApiToken, presentToken } from './token.store.ts';

interface Needs {
  readonly database: Database;
  readonly clock: Clock;
  /** Called when a token has ended: what listens with it must end too. */
  readonly rightsChanged: () => void;
}

export const tokensRoutes = ({
  database,
  clock,
  rightsChanged,
}: Needs): Pick<Handlers, 'listTokens' | 'createToken' | 'deleteToken'> => {
  const record = (
    tx: StateTransaction,
    token: { readonly id: number; readonly name: string },
    what: string,
    actor: Actor,
  ): Promise<void> =>
    recordEvent(tx, {
      actor,
      projectId: null,
      objectType: 'token',
      objectId: token.id,
      objectName: token.name,
      description: `API token ${token.name} ${what}`,
      at: clock.now(),
    });

  return {
    listTokens: async ({ caller }) => {
      const rows = await database.read
        .selectFrom('api_token')
        .selectAll()
        .where('user_id', '=', caller.id)
        .orderBy('id')
        .execute();
      return rows.map(presentToken);
    },

    createToken: async ({ body, caller, actor }) => {
      const { token, prefix, hash } = newApiToken();
      const created = clock.now().toISOString();
      const row = await database.write(async (tx) => {
        const stored = await tx
          .insertInto('api_token')
          .values({ user_id: caller.id, name: body.name, token_hash: hash, prefix, created, last_used: null })
          .returningAll()
          .executeTakeFirstOrThrow();
        await record(tx, stored, 'created', actor);
        return stored;
      });
      return { ...presentToken(row), token };
    },

    deleteToken: async ({ params, caller, actor }) => {
      await database.write(async (tx) => {
        const row = await tx
          .deleteFrom('api_token')
          .where('id', '=', params.token_id)
          .where('user_id', '=', caller.id)
          .returning(['id', 'name'])
          .executeTakeFirst();
        if (!row) throw notFound();
        await record(tx, row, 'revoked', actor);
      });
      rightsChanged();
    },
  };
};
