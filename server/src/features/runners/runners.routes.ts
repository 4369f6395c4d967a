import {
  DEFAULT_APP,
  type InstalledApp,
  NewRunner,
  type ProvidedEnvironment,
  type Runner,
  versionOf,
} from '@signalbox/contract';
import { changeParams } from '../../audit/changed-fields.ts';
import { recordInstallationEvent } from '../../audit/installation-event.ts';
import type { Actor } from '../../audit/record-event.ts';
import type { Clock } from '../../clock.ts';
import { type Database, LOCK, type StateTransaction } from '../../database/database.ts';
import type { Handlers } from '../../http/calls/call.ts';
import { ApiError, badField, notFound } from '../../http/errors/api-error.ts';
import { orTaken } from '../../http/errors/taken.ts';
import { merged } from '../../http/objects/change.ts';
import { isDraining, isDrainRequested } from '../../runner-drain.ts';
import { recentDuplicate } from '../../runner-duplicate.ts';
import { readTaskCounts } from '../../runner-task-count.ts';
import { hashToken, newToken } from '../../secrets/token.ts';
import {
  type RunnerRow,
  type RunnerSettings,
  readRunnerProjects,
  replaceProjects,
  settingColumns,
  settingsOf,
} from './runner.store.ts';
import { readRunnerTasks } from './runner-tasks.ts';

/** A runner that is connected to any server. */
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
  /** Asks a runner to end after its tasks, at once if it is connected to this server. Others learn it from the database. */
  readonly drain: (id: number) => void;
  /** Called when the settings of a runner have changed, so that it may take other tasks. */
  readonly settingsChanged: () => void;
}

const taken = (name: string) => ({ code: 'conflict.runner_name_taken', params: { name } }) as const;

/** Settings as values that can be compared. */
const comparable = ({ tags, projects, ...values }: RunnerSettings) => ({
  ...values,
  tags: tags.join(),
  projects: projects?.join(),
});

type RunnerRoutes = 'listRunners' | 'createRunner' | 'getRunner' | 'updateRunner' | 'drainRunner' | 'deleteRunner';

export const runnersRoutes = ({
  database,
  clock,
  connected,
  isLocalName,
  hasTasks,
  revokeToken,
  remove,
  drain,
  settingsChanged,
}: Deps): Pick<Handlers, RunnerRoutes> => {
  const present = (row: RunnerRow, projects: readonly number[], tasks: number): Runner => {
    const link = connected().find(({ id }) => id === row.id);
    const apps = link?.apps ?? (JSON.parse(row.apps) as InstalledApp[]);
    return {
      id: row.id,
      ...settingsOf(row, projects),
      local: isLocalName(row.name),
      ephemeral: row.ephemeral === 1,
      connected: link !== undefined,
      draining: link !== undefined && isDraining(link, row),
      last_contact: link ? clock.now().toISOString() : row.last_contact,
      version: link?.version ?? row.version,
      apps: [...apps],
      environments: JSON.parse(row.environments) as ProvidedEnvironment[],
      ansible: versionOf(apps, DEFAULT_APP),
      run_as: link ? link.runAs : row.run_as,
      slots: link?.slots ?? row.slots,
      tasks,
      created: row.created,
      duplicate_seen: recentDuplicate(row, clock.now()),
    };
  };
  type Kind = `runner.${'created' | 'deleted' | 'paused' | 'resumed' | 'drain_requested'}`;
  const record = (tx: StateTransaction, runner: { id: number; name: string }, kind: Kind, actor: Actor) =>
    recordInstallationEvent(tx, 'runner', runner, { kind, params: { name: runner.name } }, actor, clock.now());

  /** Records what a change did: a pause and its end have kinds of their own. */
  const recordChange = async (
    tx: StateTransaction,
    row: RunnerRow,
    before: RunnerSettings,
    after: RunnerSettings,
    actor: Actor,
  ) => {
    const runner = { id: row.id, name: after.name };
    if (before.paused !== after.paused)
      await record(tx, runner, after.paused ? 'runner.paused' : 'runner.resumed', actor);
    const [old, { paused, ...values }] = [comparable(before), comparable(after)];
    const params = changeParams(old, values, { name: after.name, oldName: before.name });
    if (Object.keys(params).length === 0) return;
    const event = { kind: 'runner.changed', params: { name: after.name, ...params } } as const;
    await recordInstallationEvent(tx, 'runner', runner, event, actor, clock.now());
  };

  return {
    listRunners: async () => {
      const rows = await database.read.selectFrom('runner').selectAll().orderBy('name').execute();
      const tasks = await readTaskCounts(database.read);
      const projects = await readRunnerProjects(database.read);
      return rows.map((row) => present(row, projects(row.id), tasks(row.id)));
    },

    createRunner: async ({ body, actor }) => {
      // Reserved names of local runners.
      if (isLocalName(body.name)) throw ApiError.of(taken(body.name));
      const token = newToken();
      const row = await orTaken(
        database,
        () => taken(body.name),
        () =>
          database.write(async (tx) => {
            const stored = await tx
              .insertInto('runner')
              .values({
                ...settingColumns(body),
                token_hash: hashToken(token),
                slots: 0,
                created: clock.now().toISOString(),
              })
              .returningAll()
              .executeTakeFirstOrThrow();
            await replaceProjects(database, tx, stored.id, body.projects ?? []);
            await record(tx, stored, 'runner.created', actor);
            return stored;
          }),
      );
      return { ...present(row, body.projects ?? [], 0), token };
    },

    getRunner: async ({ params: { runner_id: id } }) => {
      const row = await database.read.selectFrom('runner').selectAll().where('id', '=', id).executeTakeFirst();
      if (!row) throw notFound();
      const tasks = await readRunnerTasks(database.read, id);
      const projects = await readRunnerProjects(database.read);
      return { ...present(row, projects(id), tasks.current_tasks.length), ...tasks };
    },

    drainRunner: async ({ params: { runner_id: id }, actor }) => {
      await database.write(async (tx) => {
        const row = await tx.selectFrom('runner').selectAll().where('id', '=', id).executeTakeFirst();
        if (!row) throw notFound();
        if (isLocalName(row.name)) throw new ApiError('conflict.local_runner_drain');
        if (row.connection === null) throw new ApiError('conflict.runner_away', { name: row.name });
        if (isDrainRequested(row)) return;
        const drain_process = row.process ?? row.connection;
        await tx.updateTable('runner').set({ drain_process }).where('id', '=', id).execute();
        await record(tx, row, 'runner.drain_requested', actor);
      }, LOCK.claim);
      drain(id);
    },

    updateRunner: async ({ params, body, actor }) => {
      const change = async (tx: StateTransaction): Promise<void> => {
        const row = await tx.selectFrom('runner').selectAll().where('id', '=', params.runner_id).executeTakeFirst();
        if (!row) throw notFound();
        const before = settingsOf(row, (await readRunnerProjects(tx))(row.id));
        const after = merged(NewRunner, before, body);
        if (isLocalName(row.name) && after.name !== row.name) throw badField('name', 'field.local_runner_name');
        if (after.name !== row.name && isLocalName(after.name)) throw ApiError.of(taken(after.name));
        await tx.updateTable('runner').set(settingColumns(after)).where('id', '=', row.id).execute();
        await replaceProjects(database, tx, row.id, after.projects ?? []);
        await recordChange(tx, row, before, after, actor);
      };
      await orTaken(
        database,
        () => taken(body.name ?? ''),
        // The lock of claims: a claim after this answer obeys the new settings.
        () => database.write(change, LOCK.claim),
      );
      settingsChanged();
    },

    deleteRunner: async ({ params, actor }) => {
      const row = await database.read
        .selectFrom('runner')
        .select(['id', 'name'])
        .where('id', '=', params.runner_id)
        .executeTakeFirst();
      if (!row) throw notFound();
      const isLocal = isLocalName(row.name);
      const isConnected = connected().some(({ id }) => id === row.id);
      await database.write(async (tx) => {
        if (isLocal && (isConnected || (await hasTasks(tx, row.id)))) throw new ApiError('conflict.local_runner');
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
