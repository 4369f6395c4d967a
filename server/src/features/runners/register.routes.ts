import type { AnswerOf, BodyOf, RouteTable } from '@signalbox/contract';
import { recordInstallationEvent } from '../../audit/installation-event.ts';
import { type Actor, recordEvent } from '../../audit/record-event.ts';
import type { Clock } from '../../clock.ts';
import { type Database, LOCK, type StateTransaction } from '../../database/database.ts';
import type { Handlers } from '../../http/calls/call.ts';
import { ApiError } from '../../http/errors/api-error.ts';
import { orTaken } from '../../http/errors/taken.ts';
import { hashToken, newToken } from '../../secrets/token.ts';
import { useRegistration } from './registration.store.ts';

type Register = RouteTable['registerRunner'];

interface Deps {
  readonly database: Database;
  readonly clock: Clock;
  /** Whether servers use this name for their own runners. */
  readonly isLocalName: (name: string) => boolean;
  /** When an ephemeral runner is deleted if it never has contact. */
  readonly ephemeralExpiry: (now: Date) => string;
  /** Limits the failed attempts of one address. Returns undefined when no more may be made. */
  readonly attempt: (account: string, address: string, verify: () => Promise<boolean>) => Promise<boolean | undefined>;
}

const FALLBACK = 'runner';

const isTaken = async (tx: StateTransaction, name: string): Promise<boolean> =>
  (await tx.selectFrom('runner').select('id').where('name', '=', name).executeTakeFirst()) !== undefined;

/** The first free name of `host`, `host-2`, `host-3` and so on. */
const freeName = async (tx: StateTransaction, host: string): Promise<string> => {
  const rows = await tx.selectFrom('runner').select('name').execute();
  const taken = new Set(rows.map(({ name }) => name));
  let name = host;
  for (let number = 2; taken.has(name); number += 1) name = `${host}-${number}`;
  return name;
};

/** The call with which a runner registers. */
export const registerRoutes = ({
  database,
  clock,
  isLocalName,
  ephemeralExpiry,
  attempt,
}: Deps): Pick<Handlers, 'registerRunner'> => {
  const nameOf = async (tx: StateTransaction, { name, host_name }: BodyOf<Register>): Promise<string> => {
    if (name === null) return await freeName(tx, host_name === '' || isLocalName(host_name) ? FALLBACK : host_name);
    if (isLocalName(name) || (await isTaken(tx, name))) throw new ApiError('conflict.runner_name_taken', { name });
    return name;
  };

  /** Undefined for a token that does not work. A refused name counts no use. */
  const register = (body: BodyOf<Register>, actor: Actor): Promise<AnswerOf<Register> | undefined> =>
    // Within the lock, so that a name that is free stays free.
    database.write(async (tx) => {
      const now = clock.now();
      const registration = await useRegistration(tx, body.token, now);
      if (!registration) {
        await recordEvent(tx, {
          ...({ kind: 'runner.registration_refused', params: {} } as const),
          ...({ actor, projectId: null, objectType: 'runner_registration', objectId: null, objectName: '' } as const),
          at: now,
        });
        return undefined;
      }
      const token = newToken();
      const row = await tx
        .insertInto('runner')
        .values({
          name: await nameOf(tx, body),
          token_hash: hashToken(token),
          slots: 0,
          tags: registration.tags,
          description: body.description,
          created: now.toISOString(),
          ephemeral: body.ephemeral ? 1 : 0,
          expires: body.ephemeral ? ephemeralExpiry(now) : null,
        })
        .returning(['id', 'name', 'tags'])
        .executeTakeFirstOrThrow();
      const params = { name: row.name, registration: registration.name };
      await recordInstallationEvent(tx, 'runner', row, { kind: 'runner.registered', params }, actor, now);
      return { id: row.id, name: row.name, tags: JSON.parse(row.tags) as string[], token };
    }, LOCK.claim);

  return {
    registerRunner: async ({ body, actor }) => {
      let registered: AnswerOf<Register> | undefined;
      // The token is the account, so that a program that repeats a wrong token does not exclude the others of its
      // network.
      const right = await attempt(`registration ${hashToken(body.token)}`, actor.address, async () => {
        // A runner that an administrator adds at the same moment may have taken the name.
        const params = { name: body.name ?? body.host_name };
        const taken = { code: 'conflict.runner_name_taken', params } as const;
        registered = await orTaken(
          database,
          () => taken,
          () => register(body, actor),
        );
        return registered !== undefined;
      });
      if (right === undefined) throw new ApiError('too_many.registrations');
      if (!registered) throw new ApiError('not_signed_in.registration');
      return registered;
    },
  };
};
