import { type ApiToken, NewApiToken } from '@signalbox/contract';
import { SYSTEM } from '../../audit/record-event.ts';
import {
  allTokens,
  insertToken,
  presentNewToken,
  presentTokens,
  removeToken,
} from '../../features/tokens/token.store.ts';
import type { Viewer } from '../../features/tokens/token-limits.ts';
import { FIELD_CHECKS } from '../../http/errors/field-message.ts';
import { StartError } from '../../start-error.ts';
import { firstError } from '../../transfer/first-error.ts';
import { findProject, findTemplateId } from '../project/find-project.ts';
import { print, printJson } from '../terminal.ts';
import { withState } from '../with-state.ts';
import { findUser } from './find-user.ts';

const expiryOf = ({ expires_at, expired }: ApiToken): string => {
  if (expires_at === null) return '';
  return `${expired ? 'expired' : 'expires'} ${expires_at}`;
};

const ownerOf = ({ id, admin }: { readonly id: number; readonly admin: 0 | 1 }): Viewer => ({
  id,
  isAdmin: admin === 1,
});

/** The administrator of the machine sees the names of all projects. */
const EVERYTHING: Viewer = { id: 0, isAdmin: true };

const lastUseOf = ({ last_used, last_address }: ApiToken): string =>
  last_used === null ? 'never used' : `${last_used} ${last_address}`.trim();

/** Scopes, projects and templates. A token without limits has none. */
const limitsOf = ({ scopes, projects, templates }: ApiToken): string =>
  [
    scopes.includes('everything') ? '' : scopes.join(','),
    ...(projects ?? []).map(({ name }) => `project ${name}`),
    ...(templates ?? []).map(({ name }) => `template ${name}`),
  ]
    .filter((part) => part !== '')
    .join(' ');

interface TokenOptions {
  readonly login: string;
  readonly json?: boolean;
}

interface NewTokenOptions extends TokenOptions {
  readonly name: string;
  readonly scope?: readonly string[];
  readonly project?: readonly string[];
  readonly template?: readonly string[];
  readonly expires?: string;
}

const idsOf = async (
  names: readonly string[] | undefined,
  find: (name: string) => Promise<number>,
): Promise<number[] | null> => {
  if (names === undefined) return null;
  const ids: number[] = [];
  for (const name of names) ids.push(await find(name));
  return ids;
};

export const createToken = ({ login, json, ...options }: NewTokenOptions): Promise<void> =>
  withState(async (database) => {
    const { read } = database;
    const { name, scope, expires } = options;
    const owner = ownerOf(await findUser(read, { login }));
    const input = NewApiToken.safeParse(
      {
        ...{ name, expires_at: expires ?? null, ...(scope ? { scopes: scope } : {}) },
        projects: await idsOf(options.project, async (wanted) => (await findProject(read, wanted)).id),
        templates: await idsOf(options.template, (wanted) => findTemplateId(read, wanted)),
      },
      FIELD_CHECKS,
    );
    if (!input.success) throw new StartError(`The token cannot be created: ${firstError(input.error)}.`);
    const now = new Date();
    const made = await database.write((tx) => insertToken(tx, owner, input.data, SYSTEM, now));
    if (json) printJson(await presentNewToken(read, made, owner, now));
    else print(made.token);
  });

const columnsOf = (token: ApiToken): string[] =>
  [token.id, token.name, token.created, lastUseOf(token), limitsOf(token), expiryOf(token)].filter(
    (part) => part !== '',
  );

/** Lists the tokens of a user; without one, those of all users after the username of each. */
export const listTokens = ({ login, json }: Partial<TokenOptions>): Promise<void> =>
  withState(async ({ read }) => {
    const owner = login === undefined ? undefined : ownerOf(await findUser(read, { login }));
    const all = (await allTokens(read)).filter(({ user_id }) => owner === undefined || user_id === owner.id);
    const tokens = await presentTokens(read, all, owner ?? EVERYTHING, new Date());
    if (json) return printJson(tokens);
    for (const [i, token] of tokens.entries())
      print([...(owner ? [] : [all[i]?.username ?? '']), ...columnsOf(token)].join('\t'));
  });

export const deleteToken = ({ login, id }: TokenOptions & { readonly id: string }): Promise<void> =>
  withState(async (database) => {
    const user = await findUser(database.read, { login });
    const removed = await database.write((tx) => removeToken(tx, user.id, id, SYSTEM, new Date()));
    if (!removed) throw new StartError(`${user.username} has no API token with the id ${id}.`);
    print(`API token ${removed.name} deleted`);
  });
