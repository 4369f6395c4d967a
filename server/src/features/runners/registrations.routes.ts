import type { RunnerRegistration } from '@signalbox/contract';
import { recordInstallationEvent } from '../../audit/installation-event.ts';
import type { Clock } from '../../clock.ts';
import type { Database, StateTransaction } from '../../database/database.ts';
import type { Handlers } from '../../http/calls/call.ts';
import { notFound } from '../../http/errors/api-error.ts';
import {
  deleteRegistration,
  insertRegistration,
  listRegistrations,
  type RegistrationRow,
} from './registration.store.ts';

interface Deps {
  readonly database: Database;
  readonly clock: Clock;
  /** Lets the token of a runner be replaced. Returns the runner, if it exists. */
  readonly requestNewToken: (
    tx: StateTransaction,
    id: number,
  ) => Promise<{ readonly id: number; readonly name: string } | undefined>;
}

const present = (row: RegistrationRow, now: Date): RunnerRegistration => ({
  id: row.id,
  name: row.name,
  tags: JSON.parse(row.tags) as string[],
  uses: row.uses,
  uses_left: row.uses_left,
  expires: row.expires,
  expired: row.expires <= now.toISOString(),
  created: row.created,
  created_by: row.creator ?? '',
  creator_is_admin: row.creator_admin === 1,
});

/** The calls of administrators about registration tokens. */
export const registrationsRoutes = ({
  database,
  clock,
  requestNewToken,
}: Deps): Pick<
  Handlers,
  'listRunnerRegistrations' | 'createRunnerRegistration' | 'revokeRunnerRegistration' | 'rotateRunnerToken'
> => ({
  rotateRunnerToken: async ({ params, actor }) => {
    await database.write(async (tx) => {
      const runner = await requestNewToken(tx, params.runner_id);
      if (!runner) throw notFound();
      const event = { kind: 'runner.rotation_requested', params: { name: runner.name } } as const;
      await recordInstallationEvent(tx, 'runner', runner, event, actor, clock.now());
    });
  },

  listRunnerRegistrations: async () => {
    const now = clock.now();
    return (await listRegistrations(database.read)).map((row) => present(row, now));
  },

  createRunnerRegistration: async ({ body, caller, actor }) => {
    const now = clock.now();
    const { name, tags, uses, valid_seconds } = body;
    const expires = new Date(now.getTime() + valid_seconds * 1000);
    const { row, token } = await database.write(async (tx) => {
      const inserted = await insertRegistration(tx, { name, tags, uses, expires, createdBy: caller.id }, now);
      const event = { kind: 'runner.registration_created', params: { name, uses } } as const;
      await recordInstallationEvent(tx, 'runner_registration', inserted.row, event, actor, now);
      return inserted;
    });
    return { ...present(row, now), token };
  },

  revokeRunnerRegistration: async ({ params: { registration_id: id }, actor }) => {
    await database.write(async (tx) => {
      const deleted = await deleteRegistration(tx, id);
      if (!deleted) throw notFound();
      const event = { kind: 'runner.registration_revoked', params: { name: deleted.name } } as const;
      await recordInstallationEvent(tx, 'runner_registration', { id, ...deleted }, event, actor, clock.now());
    });
  },
});
