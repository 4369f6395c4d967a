import type { RoleSlug } from '@signalbox/contract';
import { generateSync } from 'otplib/functional';
import { ApiClient } from '../../tooling/product/api-client.ts';

/** The password of all users except the administrator. */
export const PASSWORD = 'correct horse battery';

export interface People {
  readonly members: readonly { readonly id: number; readonly role: RoleSlug; readonly name: string }[];
  /** Names to sign in with. */
  readonly guest: string;
  readonly stranger: string;
}

const MEMBERS: readonly (readonly [name: string, username: string, role: RoleSlug])[] = [
  ['Annegret Schwarzenberger-Hohenlohe', 'annegret.schwarzenberger', 'manager'],
  ['Дмитрий Александрович Константинопольский', 'konstantinopolsky', 'task_runner'],
  ['João Figueiredo', 'joao', 'task_runner'],
  ['李晓明', 'xiaoming', 'owner'],
];

/** Number of further users, enough for a second page of the users list. */
const OTHERS = 20;

const giveSecondFactor = async (client: ApiClient, username: string): Promise<void> => {
  await client.signIn(username, PASSWORD);
  const { secret } = await client.call('beginSecondFactor', { body: { current_password: PASSWORD } });
  await client.call('confirmSecondFactor', { body: { code: generateSync({ secret }) } });
};

/** Users with short and long names in several scripts, a guest, and one without a project. */
export const seedPeople = async (client: ApiClient): Promise<People> => {
  const person = async (name: string, username: string, more: object = {}): Promise<number> =>
    (
      await client.call('createUser', {
        body: { name, username, email: `${username}@rechenzentrum.example`, password: PASSWORD, ...more },
      })
    ).id;
  const members = [];
  for (const [name, username, role] of MEMBERS) members.push({ id: await person(name, username), role, name });
  const guest = await person('Gästin Gutwein', 'gast');
  await client.call('updateUser', { params: { user_id: guest }, body: { email_proven: false } });
  members.push({ id: guest, role: 'guest' as const, name: 'Gästin Gutwein' });
  await person('Nils Neuling', 'neuling');
  await person('Extern Angebunden', 'extern', { external: true, password: '' });
  for (let n = 1; n <= OTHERS; n++) await person(`Bereitschaft ${n}`, `bereitschaft-${n}`);
  await giveSecondFactor(new ApiClient(client.address), 'bereitschaft-1');
  const me = await client.call('currentUser');
  await client.call('updateUser', { params: { user_id: me.id }, body: { billing: true } });
  await client.call('createToken', { body: { name: 'Überwachung der Bereitstellung' } });
  const service = await client.call('createServiceAccount', {
    body: { name: 'Nächtliche Bereitstellung', username: 'bereitstellung.nachts' },
  });
  await client.call('createServiceToken', {
    params: { user_id: service.id },
    body: { name: 'Nächtliche Pipeline der Fachabteilung', scopes: ['run'], expires_at: '2126-01-01T00:00:00Z' },
  });
  return { members, guest: 'gast', stranger: 'neuling' };
};
