import { parseArgs } from 'node:util';
import { NewUser } from '@signalbox/contract';
import type { z } from 'zod';
import { recordEvent, SYSTEM } from '../audit/record-event.ts';
import { openState } from '../composition/storage.ts';
import type { Config } from '../config.ts';
import { prepareDataFolder } from '../data-folder.ts';
import { type Database, LOCK } from '../database/database.ts';
import {
  changePassword,
  findUserByLogin,
  insertUser,
  listUsers,
  refuseTaken,
  userRow,
} from '../features/users/user.store.ts';
import { hashPassword } from '../secrets/password.ts';
import { StartError } from '../start-error.ts';

const say = (line: string): void => void process.stdout.write(`${line}\n`);

const required = (value: string | undefined, option: string): string => {
  if (value === undefined || value === '') throw new StartError(`--${option} is missing.`);
  return value;
};

/** A user made here is held to the same rules as one made in the console. */
const checked = (user: z.input<typeof NewUser>): z.output<typeof NewUser> => {
  const result = NewUser.safeParse(user);
  if (result.success) return result.data;
  const faults = result.error.issues.map(({ path, message }) => `${path.join('.')} ${message}`);
  throw new StartError(`The user cannot be made: ${faults.join('; ')}.`);
};

const list = async (database: Database): Promise<void> => {
  for (const user of await listUsers(database.read)) {
    say(
      `${user.username}\t${user.name}\t${user.email}${user.admin === 1 ? '\tadmin' : ''}${user.external === 1 ? '\texternal' : ''}`,
    );
  }
};

const add = async (database: Database, args: string[]): Promise<void> => {
  const { values } = parseArgs({
    args,
    options: {
      login: { type: 'string' },
      name: { type: 'string' },
      email: { type: 'string' },
      password: { type: 'string' },
      admin: { type: 'boolean', default: false },
    },
  });
  const { username, ...user } = checked({
    username: required(values.login, 'login'),
    name: required(values.name, 'name'),
    email: required(values.email, 'email'),
    password: required(values.password, 'password'),
    admin: values.admin,
  });
  const now = new Date();
  const row = await userRow({ username, ...user }, now);
  await database.write(async (tx) => {
    await refuseTaken(tx, { username, ...user }).catch((error: Error) => {
      throw new StartError(error.message);
    });
    const id = await insertUser(tx, row);
    await recordEvent(tx, {
      actor: SYSTEM,
      projectId: null,
      objectType: 'user',
      objectId: id,
      objectName: username,
      description: `User ${username} created on the command line`,
      at: now,
    });
  }, LOCK.people);
  say(`User ${username} created`);
};

const changeByLogin = async (database: Database, args: string[]): Promise<void> => {
  const { values } = parseArgs({ args, options: { login: { type: 'string' }, password: { type: 'string' } } });
  const login = required(values.login, 'login');
  const hash = await hashPassword(required(values.password, 'password'));
  await database.write(async (tx) => {
    const user = await findUserByLogin(tx, login);
    if (!user) throw new StartError(`There is no user ${login}.`);
    if (user.external === 1)
      throw new StartError(`The password of ${login} is kept elsewhere: they sign in with a provider.`);
    await changePassword(tx, user.id, hash);
    await recordEvent(tx, {
      actor: SYSTEM,
      projectId: null,
      objectType: 'user',
      objectId: user.id,
      objectName: user.username,
      description: `Password of ${user.username} changed on the command line`,
      at: new Date(),
    });
  });
  say(`Password of ${login} changed`);
};

const ACTIONS: Readonly<Record<string, (database: Database, args: string[]) => Promise<void>>> = {
  list,
  add,
  'change-by-login': changeByLogin,
};

export const USER_USAGE = `Usage:
  signalbox user list
  signalbox user add --login <name> --name <full name> --email <address> --password <password> [--admin]
  signalbox user change-by-login --login <name> --password <new password>`;

/** Manages users in the database, beside a running server or without one, so that nobody is locked out. */
export const userCommand = async (config: Config, [action = '', ...args]: string[]): Promise<void> => {
  const act = ACTIONS[action];
  if (!act) throw new StartError(USER_USAGE);
  prepareDataFolder(config.dataFolder, config.runAs !== '');
  const database = await openState(config, () => undefined);
  try {
    await act(database, args);
  } finally {
    await database.close();
  }
};
