import type { Queue, ServerState, System, SystemServer } from '@signalbox/contract';
import type { Clock } from '../../clock.ts';
import type { Database } from '../../database/database.ts';
import { readDatabaseState } from '../../database/database-state.ts';
import { readBackupTime } from '../../database/last-backup.ts';
import type { Handlers } from '../../http/calls/call.ts';
import { isDraining } from '../../runner-drain.ts';
import { recentDuplicate } from '../../runner-duplicate.ts';
import { readTaskCounts } from '../../runner-task-count.ts';

interface Linked {
  readonly id: number;
  readonly slots: number;
  readonly draining: boolean;
  readonly runAs: string | null;
}

interface Deps {
  readonly database: Database;
  readonly clock: Pick<Clock, 'now'>;
  /** This server, and the others of the database by name. Those of an older version are undefined. */
  readonly servers: () => {
    readonly own: ServerState;
    readonly name: string;
    readonly others: ReadonlyMap<string, ServerState | undefined>;
  };
  readonly notices: () => System['notices'];
  /** The runners that are connected to any server. */
  readonly runners: () => readonly Linked[];
  readonly readQueue: () => Promise<Queue>;
  readonly readLogStore: () => Promise<System['log_store']>;
}

const MAX_DUPLICATES = 20;

const presentServers = ({ own, name, others }: ReturnType<Deps['servers']>) => {
  const described = [...others].flatMap(([id, state]): SystemServer[] =>
    state ? [{ ...state, id, answered: false }] : [],
  );
  const servers = [{ ...own, id: name, answered: true }, ...described];
  return {
    servers: servers.toSorted((a, b) => a.started.localeCompare(b.started) || a.id.localeCompare(b.id)),
    undescribed_servers: others.size - described.length,
  };
};

const readDatabase = async (database: Database) => {
  const { version, bytes, connections, oldestTransactionSeconds, ...migrated } = await readDatabaseState(database);
  return {
    kind: database.capabilities.name,
    version,
    bytes,
    connections,
    oldest_transaction_seconds: oldestTransactionSeconds,
    migrations: migrated.migrations,
    last_migration: migrated.lastMigration,
    last_backup: await readBackupTime(database),
  };
};

/** Calls about the whole installation, for administrators and for programs that start runners. */
export const systemStateRoutes = (deps: Deps): Pick<Handlers, 'getSystem' | 'getQueue'> => {
  const { database, clock, readQueue } = deps;

  const readRunners = async () => {
    const rows = await database.read
      .selectFrom('runner')
      .select(['id', 'name', 'paused', 'duplicate_seen', 'process', 'connection', 'drain_process'])
      .execute();
    const now = clock.now();
    const tasks = await readTaskCounts(database.read);
    const linked = deps.runners().flatMap((link) => {
      const row = rows.find(({ id }) => id === link.id);
      return row ? [{ ...link, isPaused: row.paused === 1, isDraining: isDraining(link, row) }] : [];
    });
    return {
      total: rows.length,
      connected: linked.length,
      paused: linked.filter(({ isPaused }) => isPaused).length,
      draining: linked.filter((runner) => runner.isDraining).length,
      slots: linked.reduce((sum, { slots }) => sum + slots, 0),
      busy: linked.reduce((sum, { id }) => sum + tasks(id), 0),
      separated: linked.length === 0 ? null : linked.every(({ runAs }) => runAs !== null),
      duplicates: rows
        .filter((row) => recentDuplicate(row, now) !== null)
        .slice(0, MAX_DUPLICATES)
        .map(({ id, name }) => ({ id, name })),
    };
  };

  return {
    getSystem: async () => ({
      ...presentServers(deps.servers()),
      notices: deps.notices(),
      database: await readDatabase(database),
      log_store: await deps.readLogStore(),
      runners: await readRunners(),
      queue: await readQueue(),
    }),

    getQueue: () => readQueue(),
  };
};
