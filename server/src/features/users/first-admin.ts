import { recordUserEvent } from '../../audit/installation-event.ts';
import { SYSTEM } from '../../audit/record-event.ts';
import type { Clock } from '../../clock.ts';
import { type Database, LOCK } from '../../database/database.ts';
import { english } from '../../http/errors/english.ts';
import { passwordProblem } from '../../secrets/password-rule.ts';
import { newPassword } from '../../secrets/token.ts';
import { StartError } from '../../start-error.ts';
import { insertUser, userRow } from './user.store.ts';

export interface AdminSettings {
  readonly login: string;
  readonly password: string | undefined;
  readonly email: string;
}

/**
 * Creates the first admin when there is no user.
 * @throws StartError for a password in the settings that is too weak
 * @returns the generated password, which is shown once and stored nowhere else; undefined when none was generated
 */
export const ensureAdmin = async (
  database: Database,
  settings: AdminSettings,
  clock: Clock,
): Promise<string | undefined> => {
  const anyUser = (db: Pick<Database['read'], 'selectFrom'>) =>
    db.selectFrom('users').select('id').limit(1).executeTakeFirst();
  if (await anyUser(database.read)) return undefined;
  const password = settings.password ?? newPassword();
  const problem = passwordProblem(password, { username: settings.login, email: settings.email });
  if (problem !== undefined) throw new StartError(`SIGNALBOX_ADMIN_PASSWORD ${english(problem)}.`);
  const now = clock.now();
  const row = await userRow(
    { username: settings.login, name: settings.login, email: settings.email, password, admin: true },
    now,
  );
  return await database.write(async (tx) => {
    // Another server may have created the user at the same time.
    if (await anyUser(tx)) return undefined;
    const id = await insertUser(tx, row);
    const user = { id, username: settings.login };
    await recordUserEvent(tx, user, 'user.created_at_first_start', SYSTEM, now);
    return settings.password === undefined ? password : undefined;
  }, LOCK.users);
};
