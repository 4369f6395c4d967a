import { DEFAULT_APP, type InstalledApp, NOT_FINAL_STATUSES, type Runner, versionOf } from '@signalbox/contract';
import type { Selectable } from 'kysely';
import { recordInstallationEvent } from '../../audit/installation-event.ts';
import type { Actor } from '../../audit/record-event.ts';
import type { Clock } from '../../clock.ts';
import { type Database, LOCK, type StateTransaction } from '../../database/database.ts';
import type { RunnerTable } from '../../database/schema.ts';
import type { Handlers } from '../../http/calls/call.ts';
import { ApiError, notFound } from '../../http/errors/api-error.ts';
import { orTaken } from '../../http/errors/taken.ts';
import { hashToken, newToken } from '../../secrets/token.ts';

/** A runner that is connected to this server. */
interface Connected {
  readonly id: number;
  readonly slots: number;
  readonly version: string;
  readonly apps: readonly InstalledApp[];
  readonly runAs: string | null;
  readonly draining: boolean;
}

interface Deps {
  readonly database: Database;
  readonly clock: Clock;
  readonly connected: () => readonly Connected[];
  /** Whether servers use this name for their own runners. */
  readonly isLocalName: (name: string) => boolean;
  readonly hasTasks: (tx: StateTransaction, id: number) => Promise<boolean>;
  readonly revokeToken: (tx: StateTransaction, id: number, now: Date) => Promise<boolean>;
  readonly remove: (id: number) => Promise<void>;
  /** Called when the tags of a runner have changed, so that it may take other tasks. */
  readonly tagsChanged: () => void;
}

const DAY_MS = 24 * 60 * 60_000;

export const runnersRoutes = ({
  database,
  clock,
  connected,
  isLocalName,
  hasTasks,
  revokeToken,
  remove,
  tagsChanged,
}: Deps): Pick<Handlers, 'listRunners' | 'createRunner' | 'updateRunner' | 'deleteRunner'> => {
  const dayAgo = (): string => new Date(clock.now().getTime() - DAY_MS).toISOString();
  const present = (row: Selectable<RunnerTable>, tasks: number): Runner => {
    const link = connected().find(({ id }) => id === row.id);
    return {
      id: row.id,
      name: row.name,
      tags: JSON.parse(row.tags) as string[],
      local: isLocalName(row.name),
      connected: link !== undefined,
      draining: link?.draining ?? false,
      version: link?.version ?? '',
      apps: [...(link?.apps ?? [])],
      ansible: versionOf(link?.apps ?? [], DEFAULT_APP),
      run_as: link?.runAs ?? null,
      slots: link?.slots ?? row.slots,
      tasks,
      created: row.created,
      duplicate_seen: row.duplicate_seen !== null && row.duplicate_seen > dayAgo() ? row.duplicate_seen : null,
    };
  };
  const record = (
    tx: StateTransaction,
    runner: { id: number; name: string },
    kind: 'runner.created' | 'runner.deleted',
    actor: Actor,
  ) => recordInstallationEvent(tx, 'runner', runner, { kind, params: { name: runner.name } }, actor, clock.now());

  return {
    listRunners: async () => {
      const rows = await database.read.selectFrom('runner').selectAll().orderBy('name').execute();
      const busy = await database.read
        .selectFrom('task')
        .select(['runner_id', (eb) => eb.fn.countAll<number>().as('tasks')])
        .where('status', 'in', NOT_FINAL_STATUSES)
        .where('runner_id', 'is not', null)
        .groupBy('runner_id')
        .execute();
      return rows.map((row) => present(row, Number(busy.find(({ runner_id }) => runner_id === row.id)?.tasks ?? 0)));
    },

    createRunner: async ({ body, actor }) => {
      const taken = { code: 'conflict.runner_name_taken', params: { name: body.name } } as const;
      // Reserved names of local runners.
      if (isLocalName(body.name)) throw ApiError.of(taken);
      const token = newToken();
      const row = await orTaken(
        database,
        () => taken,
        () =>
          database.write(async (tx) => {
            const stored = await tx
              .insertInto('runner')
              .values({
                name: body.name,
                token_hash: hashToken(token),
                slots: 0,
                tags: JSON.stringify(body.tags),
                created: clock.now().toISOString(),
              })
              .returningAll()
              .executeTakeFirstOrThrow();
            await record(tx, stored, 'runner.created', actor);
            return stored;
          }),
      );
      return { ...present(row, 0), token };
    },

    updateRunner: async ({ params, body, actor }) => {
      await database.write(async (tx) => {
        const stored = await tx
          .updateTable('runner')
          .set({ tags: JSON.stringify(body.tags) })
          .where('id', '=', params.runner_id)
          .returning(['id', 'name'])
          .executeTakeFirst();
        if (!stored) throw notFound();
        const { name } = stored;
        const event = { kind: 'runner.changed', params: { name, tags: body.tags.join(', ') || '–' } } as const;
        await recordInstallationEvent(tx, 'runner', stored, event, actor, clock.now());
      }, LOCK.claim);
      tagsChanged();
    },

    deleteRunner: async ({ params, actor }) => {
      const row = await database.read
        .selectFrom('runner')
        .select(['id', 'name'])
        .where('id', '=', params.runner_id)
        .executeTakeFirst();
      if (!row) throw notFound();
      const isLocal = isLocalName(row.name);
      const isHere = connected().some(({ id }) => id === row.id);
      await database.write(async (tx) => {
        if (isLocal && (isHere || (await hasTasks(tx, row.id)))) throw new ApiError('conflict.local_runner');
        if (!(await revokeToken(tx, row.id, clock.now()))) throw notFound();
        // Deleted within the lock: another server may be using this runner, and must not give it a task that would be
        // ended.
        if (isLocal) await tx.deleteFrom('runner').where('id', '=', row.id).execute();
        await record(tx, row, 'runner.deleted', actor);
      }, LOCK.claim);
      await remove(row.id);
    },
  };
};
