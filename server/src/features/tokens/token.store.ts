import type { ApiToken, NewApiToken } from '@signalbox/contract';
import type { Selectable } from 'kysely';
import type { z } from 'zod';
import { recordInstallationEvent } from '../../audit/installation-event.ts';
import type { Actor } from '../../audit/record-event.ts';
import type { Database, StateReader, StateTransaction } from '../../database/database.ts';
import type { ApiTokenTable } from '../../database/token.schema.ts';
import type { Caller } from '../../http/calls/call.ts';
import { badField } from '../../http/errors/api-error.ts';
import { hashToken, newToken } from '../../secrets/token.ts';
import { limitColumns, presentLimits, readLimits, type Viewer } from './token-limits.ts';
import type { TokenUse } from './token-use.ts';

/** A prefix by which users and secret scanners recognize API tokens. */
const KIND = 'sbx_';
const PREFIX_LENGTH = KIND.length + 6;

const newApiToken = (): { readonly token: string; readonly prefix: string; readonly hash: string } => {
  const token = KIND + newToken();
  return { token, prefix: token.slice(0, PREFIX_LENGTH), hash: hashToken(token) };
};

export type TokenRow = Selectable<ApiTokenTable>;

const hasExpired = ({ expires_at }: Pick<TokenRow, 'expires_at'>, now: Date): boolean =>
  expires_at !== null && Date.parse(expires_at) <= now.getTime();

/** Presents tokens to a user, with the names of the projects and templates that this user can see. */
export const presentTokens = async (
  db: StateReader,
  rows: readonly TokenRow[],
  viewer: Viewer,
  now: Date,
): Promise<ApiToken[]> => {
  const limits = await presentLimits(db, rows, viewer);
  return rows.map((row, i) => ({
    ...(limits[i] as (typeof limits)[number]),
    id: row.prefix,
    user_id: row.user_id,
    name: row.name,
    prefix: row.prefix,
    created: row.created,
    last_used: row.last_used,
    last_address: row.last_address,
    expires_at: row.expires_at,
    expired: hasExpired(row, now),
  }));
};

/** Presents a token that was just created, with the token itself. */
export const presentNewToken = async (
  db: StateReader,
  { row, token }: { readonly row: TokenRow; readonly token: string },
  viewer: Viewer,
  now: Date,
) => {
  const [shown] = await presentTokens(db, [row], viewer, now);
  return { ...(shown as ApiToken), id: token, token };
};

/** Lists the tokens of a user, oldest first. */
export const tokensOf = (db: StateReader, userId: number): Promise<TokenRow[]> =>
  db.selectFrom('api_token').selectAll().where('user_id', '=', userId).orderBy('id').execute();

interface NamedToken {
  readonly id: number;
  readonly name: string;
  readonly user_id: number;
}

const ofAnother = { 'token.created': 'token.created_for', 'token.revoked': 'token.revoked_of' } as const;

/** Names the user of the token if another user made the call. */
const record = async (
  tx: StateTransaction,
  token: NamedToken,
  kind: keyof typeof ofAnother,
  actor: Actor,
  at: Date,
): Promise<void> => {
  const { name } = token;
  const owner =
    actor.userId === null || actor.userId === token.user_id
      ? undefined
      : await tx.selectFrom('users').select('username').where('id', '=', token.user_id).executeTakeFirst();
  const event = owner ? { kind: ofAnother[kind], params: { name, user: owner.username } } : { kind, params: { name } };
  await recordInstallationEvent(tx, 'token', token, event, actor, at);
};

/**
 * Creates an API token for a user. The token itself is returned as `token` and never stored.
 * @throws bad_input when the expiry is in the past, or for projects and templates that the user cannot see
 */
export const insertToken = async (
  tx: StateTransaction,
  owner: Viewer,
  { name, expires_at, ...limits }: Omit<z.output<typeof NewApiToken>, 'current_password'>,
  actor: Actor,
  now: Date,
): Promise<{ readonly row: TokenRow; readonly token: string }> => {
  const expiry = { expires_at: expires_at || null };
  if (hasExpired(expiry, now)) throw badField('expires_at', 'field.future');
  const { token, prefix, hash } = newApiToken();
  const row = await tx
    .insertInto('api_token')
    .values({
      ...{ user_id: owner.id, name, token_hash: hash, prefix, created: now.toISOString(), last_used: null },
      ...expiry,
      ...(await limitColumns(tx, owner, limits)),
    })
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
): Promise<NamedToken | undefined> => {
  const row = await tx
    .deleteFrom('api_token')
    .where((eb) => eb.or([eb('prefix', '=', id), eb('token_hash', '=', hashToken(id))]))
    .where('user_id', '=', userId)
    .returning(['id', 'name', 'user_id'])
    .executeTakeFirst();
  if (row) await record(tx, row, 'token.revoked', actor, now);
  return row;
};

/** Revokes a token of any user; false when there is none with this number. */
export const removeAnyToken = async (
  tx: StateTransaction,
  number: number,
  actor: Actor,
  now: Date,
): Promise<boolean> => {
  const row = await tx
    .deleteFrom('api_token')
    .where('id', '=', number)
    .returning(['id', 'name', 'user_id'])
    .executeTakeFirst();
  if (row) await record(tx, row, 'token.revoked', actor, now);
  return row !== undefined;
};

/** Lists the tokens of all users with their owners. */
export const allTokens = (db: StateReader) =>
  db
    .selectFrom('api_token')
    .innerJoin('users', 'users.id', 'api_token.user_id')
    .selectAll('api_token')
    .select(['users.username', 'users.service'])
    .orderBy('api_token.id')
    .execute();

/** What finding the user of a token needs. */
export interface TokenSearch {
  readonly database: Database;
  readonly use: TokenUse;
}

/**
 * Finds the user of a token; undefined for a token that was revoked, has expired or never existed.
 * @param address IP address of the client, if it is known
 */
export const findTokenCaller = async (
  { database, use }: TokenSearch,
  token: string,
  address: string | undefined,
  now: Date,
): Promise<Caller | undefined> => {
  const row = await database.read
    .selectFrom('api_token')
    .innerJoin('users', 'users.id', 'api_token.user_id')
    .selectAll('api_token')
    .select(['users.username', 'users.admin', 'users.can_create_project'])
    .where('api_token.token_hash', '=', hashToken(token))
    .executeTakeFirst();
  if (!row || hasExpired(row, now)) return undefined;
  use.note(row, address, now);
  const { scopes, projects, templates } = readLimits(row);
  const isOfAdmin = row.admin === 1;
  const isUnrestricted = projects === undefined;
  return {
    id: row.user_id,
    username: row.username,
    admin: isOfAdmin && isUnrestricted,
    canCreateProject: (isOfAdmin || row.can_create_project === 1) && isUnrestricted,
    // A token was created in a session, and programs cannot enter codes, so tokens keep working.
    secondFactorDue: false,
    token: {
      ...{ id: row.id, name: row.name, scopes, isOfAdmin },
      projects: projects && new Set(projects),
      templates: templates && new Set(templates),
    },
  };
};
