import { NewApiToken } from '@signalbox/contract';
import { SYSTEM } from '../audit/record-event.ts';
import { insertToken, presentToken, removeToken } from '../features/tokens/token.store.ts';
import { StartError } from '../start-error.ts';
import { findUser } from './find-user.ts';
import { say, sayJson } from './terminal.ts';
import { withState } from './with-state.ts';

interface TokenOptions {
  readonly login: string;
  readonly json?: boolean;
}

export const createToken = ({ login, name, json }: TokenOptions & { readonly name: string }): Promise<void> =>
  withState(async (database) => {
    const facts = NewApiToken.safeParse({ name });
    if (!facts.success) throw new StartError(`The name of a token ${facts.error.issues[0]?.message}.`);
    const { id } = await findUser(database.read, { login });
    const made = await database.write((tx) => insertToken(tx, id, facts.data.name, SYSTEM, new Date()));
    if (json) sayJson({ ...presentToken(made.row), token: made.token });
    else say(made.token);
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
    const tokens = rows.map(presentToken);
    if (json) return sayJson(tokens);
    for (const token of tokens)
      say([token.id, token.prefix, token.name, token.created, token.last_used ?? 'never used'].join('\t'));
  });

export const deleteToken = ({ login, id }: TokenOptions & { readonly id: string }): Promise<void> =>
  withState(async (database) => {
    if (!/^\d{1,9}$/.test(id)) throw new StartError('--id must be the number of a token.');
    const user = await findUser(database.read, { login });
    const removed = await database.write((tx) => removeToken(tx, user.id, Number(id), SYSTEM, new Date()));
    if (!removed) throw new StartError(`${user.username} has no API token with the id ${id}.`);
    say(`API token ${removed.name} deleted`);
  });
