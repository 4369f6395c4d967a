import type { SecondFactorMode } from '@signalbox/contract';
import type { Selectable } from 'kysely';
import { recordUserEvent } from '../../audit/installation-event.ts';
import type { Clock } from '../../clock.ts';
import { type Database, LOCK, type StateTransaction } from '../../database/database.ts';
import type { UserTable } from '../../database/schema.ts';
import type { Handlers } from '../../http/calls/call.ts';
import { ApiError, badField, notFound } from '../../http/errors/api-error.ts';
import { type OwnerCall, type ProveOwner, tokenRefused } from '../../owner-proof.ts';
import type { MasterKey } from '../../secrets/master-key.ts';
import { type Attempt, guardCode } from './code-guard.ts';
import { newSecret, otpauthUri } from './one-time-code.ts';
import {
  beginFactor,
  countRecoveryCodes,
  findSecondFactor,
  lockUser,
  renewCodes,
  turnOff,
  turnOn,
  useCode,
  useOneTimeCode,
} from './second-factor.store.ts';

type UserRow = Selectable<UserTable>;

interface Deps {
  readonly database: Database;
  readonly clock: Clock;
  readonly master: MasterKey;
  readonly mode: SecondFactorMode;
  /** Host name that authenticator apps show. */
  readonly host: () => string;
  readonly attempt: Attempt;
  readonly proveOwner: ProveOwner;
  /** Called when sessions have ended, so that their open connections end too. */
  readonly rightsChanged: () => void;
  /** Called when users have changed in a way that administrators see. */
  readonly usersChanged: () => void;
}

type SecondFactorRoutes =
  | 'getSecondFactor'
  | 'beginSecondFactor'
  | 'confirmSecondFactor'
  | 'renewRecoveryCodes'
  | 'turnOffSecondFactor'
  | 'resetSecondFactor';

/** Lifetime of a new secret that is not confirmed, in milliseconds. */
const BEGUN_MS = 15 * 60_000;

const wrongCode = (): ApiError => badField('code', 'field.code_wrong');
const isOn = (): ApiError => new ApiError('conflict.second_factor_on');
const isNotOn = (): ApiError => new ApiError('conflict.second_factor_missing');

/** Routes for the user's own second factor, and for an administrator's reset of another user's. */
export const secondFactorRoutes = (deps: Deps): Pick<Handlers, SecondFactorRoutes> => {
  const { database, clock, master, attempt, proveOwner } = deps;

  const find = async (id: number): Promise<UserRow> => {
    const user = await database.read.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirst();
    if (!user) throw notFound();
    return user;
  };

  const lock = async (tx: StateTransaction, id: number): Promise<UserRow> => {
    const user = await lockUser(tx, id);
    if (!user) throw notFound();
    return user;
  };

  const refuseWhereNone = (user: UserRow): void => {
    if (deps.mode === 'off') throw new ApiError('not_permitted.second_factor_off');
    if (user.external === 1) throw new ApiError('not_permitted.second_factor_at_provider');
  };

  /** Runs `work` after checking the password and a code of the user. */
  const withProof = async <T>(
    call: OwnerCall & { readonly body: { readonly current_password: string; readonly code: string } },
    work: (tx: StateTransaction, user: UserRow, now: Date) => Promise<T>,
  ): Promise<T> => {
    const { id } = call.caller;
    await proveOwner(call, call.body.current_password);
    if ((await find(id)).second_factor !== 1) throw isNotOn();
    const done: T[] = [];
    const right = await guardCode(attempt, id, call.actor.address, () =>
      database.write(async (tx) => {
        const now = clock.now();
        const user = await lock(tx, id);
        if (user.second_factor !== 1) throw isNotOn();
        if ((await useCode(tx, master, id, call.body.code, now)) === undefined) return false;
        done.push(await work(tx, user, now));
        return true;
      }),
    );
    const [result] = done;
    if (!right || result === undefined) throw wrongCode();
    return result;
  };

  return {
    getSecondFactor: async ({ caller }) => {
      const user = await find(caller.id);
      const row = user.second_factor === 1 ? await findSecondFactor(database.read, user.id) : undefined;
      return {
        mode: deps.mode,
        active: user.second_factor === 1,
        since: row?.confirmed ?? null,
        recovery_codes_left: await countRecoveryCodes(database.read, user.id),
      };
    },

    beginSecondFactor: async (call) => {
      const { body, caller } = call;
      const before = await find(caller.id);
      refuseWhereNone(before);
      await proveOwner(call, body.current_password);
      if (before.second_factor === 1) throw isOn();
      const secret = newSecret();
      await database.write(async (tx) => {
        const user = await lock(tx, caller.id);
        if (user.second_factor === 1) throw isOn();
        await beginFactor(tx, master, caller.id, secret, clock.now());
      });
      return { secret, uri: otpauthUri(secret, before.username, deps.host()) };
    },

    // The setup was started with the password, so the confirmation does not ask for it.
    confirmSecondFactor: async ({ body, caller, actor, session }) => {
      if (session.apiToken !== undefined) throw tokenRefused();
      let codes: string[] | undefined;
      const confirm = (): Promise<boolean> =>
        database.write(async (tx) => {
          const now = clock.now();
          const user = await lock(tx, caller.id);
          refuseWhereNone(user);
          if (user.second_factor === 1) throw isOn();
          const row = await findSecondFactor(tx, user.id);
          if (!row || now.getTime() - Date.parse(row.created) > BEGUN_MS)
            throw new ApiError('conflict.second_factor_not_begun');
          if (!(await useOneTimeCode(tx, master, row, body.code, now))) return false;
          codes = await turnOn(tx, row, session.token, now);
          await recordUserEvent(tx, user, 'user.second_factor_on', actor, now);
          return true;
        });
      await guardCode(attempt, caller.id, actor.address, confirm);
      if (!codes) throw wrongCode();
      deps.rightsChanged();
      deps.usersChanged();
      return { recovery_codes: codes };
    },

    renewRecoveryCodes: async (call) => ({
      recovery_codes: await withProof(call, async (tx, user, now) => {
        await recordUserEvent(tx, user, 'user.recovery_codes_renewed', call.actor, now);
        return await renewCodes(tx, user.id);
      }),
    }),

    turnOffSecondFactor: async (call) => {
      await withProof(call, async (tx, user, now) => {
        await turnOff(tx, user.id, call.session.token);
        await recordUserEvent(tx, user, 'user.second_factor_off', call.actor, now);
        return true;
      });
      deps.rightsChanged();
      deps.usersChanged();
    },

    resetSecondFactor: async ({ params, caller, actor }) => {
      if (params.user_id === caller.id) throw new ApiError('not_permitted.own_second_factor');
      await database.write(async (tx) => {
        const admin = await tx.selectFrom('users').select('admin').where('id', '=', caller.id).executeTakeFirst();
        if (admin?.admin !== 1) throw new ApiError('not_permitted.admins_only');
        const user = await lock(tx, params.user_id);
        if (user.second_factor !== 1) throw new ApiError('conflict.second_factor_missing_of', { user: user.username });
        await turnOff(tx, user.id);
        await recordUserEvent(tx, user, 'user.second_factor_reset', actor, clock.now());
      }, LOCK.users);
      deps.rightsChanged();
    },
  };
};
