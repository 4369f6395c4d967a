import { z } from 'zod';
import { MomentText } from '../fields.ts';

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
