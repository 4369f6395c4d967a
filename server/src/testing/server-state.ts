import type { ServerState } from '@signalbox/contract';

/** What a server sends to the others about itself. */
export const serverState = (change: Partial<ServerState> = {}): ServerState => ({
  host: 'signalbox-1',
  pid: 4711,
  version: '1.2.3',
  started: '2026-11-25T10:00:00.000Z',
  load: 0.25,
  memory: 150_000_000,
  loop_delay_ms: 3,
  consoles: 2,
  runners: 1,
  notice_ms: 6,
  notices_reopened: null,
  disk: { free: 50_000_000_000, total: 100_000_000_000 },
  ...change,
});
