import { z } from 'zod';
import { Id, MomentText } from '../fields.ts';
import { Queue } from './queue.ts';

/** Longest host name or version that servers send each other, in characters. */
const MAX_TEXT = 100;

const Count = z.int().min(0).max(2_147_483_647);
const Bytes = z.number().min(0).max(Number.MAX_SAFE_INTEGER);
const Milliseconds = z.number().min(0).max(1e9);

/** Free and total space of a file system. */
export const DiskSpace = z.object({
  free: Bytes.describe('Bytes that Signalbox can still write.'),
  total: Bytes.describe('Size in bytes.'),
});
export type DiskSpace = z.infer<typeof DiskSpace>;

/** What a server is and how loaded. Servers of one database send it to each other, so every value has a limit. */
export const ServerState = z.object({
  host: z.string().max(MAX_TEXT).describe('Name of its machine.'),
  pid: Count.describe('Id of its process.'),
  version: z.string().max(MAX_TEXT),
  started: MomentText.describe('When it started, on its own clock.'),
  load: z
    .number()
    .min(0)
    .max(1e6)
    .describe('Load average of the last minute of its machine, divided by the number of cores.'),
  memory: Bytes.describe('Memory of its process in bytes.'),
  loop_delay_ms: Milliseconds.describe(
    'How long its process was busy before it could react: 99th percentile of the last seconds.',
  ),
  consoles: Count.describe('Open pages and programs that get live updates from it.'),
  runners: Count.describe('Runners that are connected to it.'),
  notice_ms: Milliseconds.nullable().describe(
    'How long its newest notice to the servers took. Null with SQLite, and while it has no connection for notices.',
  ),
  notices_reopened: MomentText.nullable().describe(
    'When its connection for notices was last opened again after it was lost; null if it never was.',
  ),
  disk: DiskSpace.nullable().describe('The disk of its data folder; null if it cannot be read.'),
});
export type ServerState = z.infer<typeof ServerState>;

export const SystemServer = ServerState.extend({
  id: z.string().describe('A random name, new at each start.'),
  answered: z.boolean().describe('Whether it is the server that answered.'),
});
export type SystemServer = z.infer<typeof SystemServer>;

/** The database, as administrators see it. */
const SystemDatabase = z.object({
  kind: z.enum(['sqlite', 'postgres']),
  version: z.string(),
  bytes: Bytes.describe('Size in bytes, with the logs.'),
  connections: z
    .object({
      open: Count.describe('Connections of all programs.'),
      maximum: Count.describe('Maximum of the database.'),
    })
    .nullable()
    .describe('Connections to the PostgreSQL server; null with SQLite.'),
  oldest_transaction_seconds: z
    .number()
    .nullable()
    .describe('Age of the oldest open transaction; null without one, and with SQLite.'),
  migrations: Count.describe('Number of migrations that it has.'),
  last_migration: z.string().describe('Name of the newest of them.'),
  last_backup: MomentText.nullable().describe('When `signalbox backup` last wrote a backup; null if it never did.'),
});

/** Where logs of ended tasks are moved. */
const SystemLogStore = z.object({
  address: z.string().describe('The folder, or the bucket and its endpoint.'),
  answers: z.boolean().describe('Whether the store answers now.'),
  moved: Count.describe('Logs that are in the store.'),
  bytes: Bytes.describe('Size of the logs in the store, in bytes.'),
  unmoved: Count.describe('Logs of ended tasks that are in the database.'),
  waiting: Count.describe('Those of them that are due to be moved.'),
  removing: Count.describe('Deleted logs that are still in the store.'),
  orphans: Count.describe('Objects without a log that were found in the store and deleted, so far.'),
  failing_since: MomentText.nullable().describe('Since when logs cannot be moved; null if they can.'),
  failure: z.string().nullable().describe('The last error of a move; null if logs can be moved.'),
});

/** All runners together. */
const SystemRunners = z.object({
  total: Count.describe('All runners, connected or not.'),
  connected: Count.describe('Runners that are connected to any server.'),
  paused: Count.describe('Connected runners that an administrator has paused.'),
  draining: Count.describe('Connected runners that accept no more tasks.'),
  slots: Count.describe('How many tasks the connected runners can execute at once.'),
  busy: Count.describe('Tasks that the connected runners have.'),
  separated: z
    .boolean()
    .nullable()
    .describe('Whether all connected runners execute tasks as another user; null without a runner.'),
  duplicates: z
    .array(z.object({ id: Id, name: z.string() }))
    .describe('Runners of which another process with the same token was refused in the last 24 hours; 20 at most.'),
});

/** Everything that an administrator must know of an installation at a glance. */
export const System = z.object({
  servers: z.array(SystemServer).describe('The servers of the database, in the order of their start.'),
  undescribed_servers: Count.describe('Servers of an older version, which do not describe themselves.'),
  notices: z
    .enum(['connected', 'lost', 'none'])
    .describe('Whether the servers of a PostgreSQL database notify each other.'),
  database: SystemDatabase.describe('Its state.'),
  log_store: SystemLogStore.nullable().describe('The log store; null if all logs are in the database.'),
  runners: SystemRunners.describe('Runners in numbers.'),
  queue: Queue.describe('Waiting tasks.'),
});
export type System = z.infer<typeof System>;
