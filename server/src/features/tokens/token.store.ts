import type { ApiToken, NewApiToken } from '@signalbox/contract';
import type { Selectable } from 'kysely';
import type { z } from 'zod';
import { recordInstallationEvent } from '../../audit/installation-event.ts';
import type { Actor } from '../../audit/record-event.ts';
import type { Database, StateTransaction } from '../../database/database.ts';
import type { ApiTokenTable } from '../../database/schema.ts';
import type { Caller } from '../../http/calls/call.ts';
import { badField } from '../../http/errors/api-error.ts';
import { hashToken, newToken } from '../../secrets/token.ts';

/** A prefix by which users and secret scanners recognize API tokens. */
const KIND = 'sbx_';
const PREFIX_LENGTH = KIND.length + 6;
/** Minimum time between two updates of the last use, in milliseconds, so that not every read causes a write. */
const TOUCH_MS = 3600 * 1000;

const newApiToken = (): { readonly token: string; readonly prefix: string; readonly hash: string } => {
  const token = KIND + newToken();
  return { token, prefix: token.slice(0, PREFIX_LENGTH), hash: hashToken(token) };
};

type TokenRow = Selectable<ApiTokenTable>;

const hasExpired = ({ expires_at }: Pick<TokenRow, 'expires_at'>, now: Date): boolean =>
  expires_at !== null && Date.parse(expires_at) <= now.getTime();

export const presentToken = (row: TokenRow, now: Date): ApiToken => ({
  id: row.prefix,
  user_id: row.user_id,
  name: row.name,
  prefix: row.prefix,
  created: row.created,
  last_used: row.last_used,
  expires_at: row.expires_at,
  expired: hasExpired(row, now),
});

const record = (
  tx: StateTransaction,
  token: { readonly id: number; readonly name: string },
  kind: 'token.created' | 'token.revoked',
  actor: Actor,
  at: Date,
): Promise<void> => recordInstallationEvent(tx, 'token', token, { kind, params: { name: token.name } }, actor, at);

/**
 * Creates an API token for a user. The token itself is returned as `token` and never stored.
 * @throws bad_input when the expiry is in the past
 */
export const insertToken = async (
  tx: StateTransaction,
  userId: number,
  { name, expires_at }: z.output<typeof NewApiToken>,
  actor: Actor,
  now: Date,
): Promise<{ readonly row: TokenRow; readonly token: string }> => {
  const expiry = { expires_at: expires_at || null };
  if (hasExpired(expiry, now)) throw badField('expires_at', 'field.future');
  const { token, prefix, hash } = newApiToken();
  const row = await tx
    .insertInto('api_token')
    .values({ user_id: userId, name, token_hash: hash, prefix, created: now.toISOString(), last_used: null, ...expiry })
    .returningAll()
    .executeTakeFirstOrThrow();
  await record(tx, row, 'token.created', actor, now);
  return { row, token };
};

/**
 * Revokes a token of a user; undefined when the user has none with this id.
 * @param id the whole token or its prefix
 */
export const removeToken = async (
  tx: StateTransaction,
  userId: number,
  id: string,
  actor: Actor,
  now: Date,
): Promise<{ readonly id: number; readonly name: string } | undefined> => {
  const row = await tx
    .deleteFrom('api_token')
    .where((eb) => eb.or([eb('prefix', '=', id), eb('token_hash', '=', hashToken(id))]))
    .where('user_id', '=', userId)
    .returning(['id', 'name'])
    .executeTakeFirst();
  if (row) await record(tx, row, 'token.revoked', actor, now);
  return row;
};

/** Finds the user of a token; undefined for a token that was revoked, has expired or never existed. */
export const findTokenCaller = async (database: Database, token: string, now: Date): Promise<Caller | undefined> => {
  const row = await database.read
    .selectFrom('api_token')
    .innerJoin('users', 'users.id', 'api_token.user_id')
    .select([
      'api_token.id as token_id',
      'api_token.last_used',
      'api_token.expires_at',
      'users.id',
      'users.username',
      'users.admin',
      'users.can_create_project',
    ])
    .where('api_token.token_hash', '=', hashToken(token))
    .executeTakeFirst();
  if (!row || hasExpired(row, now)) return undefined;
  if (row.last_used === null || now.getTime() - Date.parse(row.last_used) > TOUCH_MS) {
    const used = { last_used: now.toISOString() };
    await database.autocommit.updateTable('api_token').set(used).where('id', '=', row.token_id).execute();
  }
  return {
    id: row.id,
    username: row.username,
    admin: row.admin === 1,
    canCreateProject: row.admin === 1 || row.can_create_project === 1,
    // A token was created in a session, and programs cannot enter codes, so tokens keep working.
    secondFactorDue: false,
  };
};
