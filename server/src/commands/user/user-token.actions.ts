import { type ApiToken, NewApiToken } from '@signalbox/contract';
import { SYSTEM } from '../../audit/record-event.ts';
import { insertToken, presentToken, removeToken } from '../../features/tokens/token.store.ts';
import { FIELD_CHECKS } from '../../http/errors/field-message.ts';
import { StartError } from '../../start-error.ts';
import { firstError } from '../../transfer/first-error.ts';
import { print, printJson } from '../terminal.ts';
import { withState } from '../with-state.ts';
import { findUser } from './find-user.ts';

const expiryOf = ({ expires_at, expired }: ApiToken): string => {
  if (expires_at === null) return '';
  return `${expired ? 'expired' : 'expires'} ${expires_at}`;
};

interface TokenOptions {
  readonly login: string;
  readonly json?: boolean;
}

interface NewTokenOptions extends TokenOptions {
  readonly name: string;
  readonly expires?: string;
}

export const createToken = ({ login, name, expires, json }: NewTokenOptions): Promise<void> =>
  withState(async (database) => {
    const input = NewApiToken.safeParse({ name, expires_at: expires ?? null }, FIELD_CHECKS);
    if (!input.success) throw new StartError(`The token cannot be created: ${firstError(input.error)}.`);
    const { id } = await findUser(database.read, { login });
    const made = await database.write((tx) => insertToken(tx, id, input.data, SYSTEM, new Date()));
    if (json) printJson({ ...presentToken(made.row, new Date()), id: made.token, token: made.token });
    else print(made.token);
  });

export const listTokens = ({ login, json }: TokenOptions): Promise<void> =>
  withState(async (database) => {
    const { id } = await findUser(database.read, { login });
    const rows = await database.read
      .selectFrom('api_token')
      .selectAll()
      .where('user_id', '=', id)
      .orderBy('id')
      .execute();
    const tokens = rows.map((row) => presentToken(row, new Date()));
    if (json) return printJson(tokens);
    for (const token of tokens)
      print(
        [token.id, token.name, token.created, token.last_used ?? 'never used', expiryOf(token)]
          .filter((part) => part !== '')
          .join('\t'),
      );
  });

export const deleteToken = ({ login, id }: TokenOptions & { readonly id: string }): Promise<void> =>
  withState(async (database) => {
    const user = await findUser(database.read, { login });
    const removed = await database.write((tx) => removeToken(tx, user.id, id, SYSTEM, new Date()));
    if (!removed) throw new StartError(`${user.username} has no API token with the id ${id}.`);
    print(`API token ${removed.name} deleted`);
  });
