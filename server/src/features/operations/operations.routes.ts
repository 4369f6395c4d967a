import type { Database } from '../../database/database.ts';
import type { Handlers } from '../../http/calls/call.ts';

interface Deps {
  readonly database: Database;
  readonly runners: () => readonly unknown[];
  /** Whether the notices of other servers arrive; `none` if there can be no other. */
  readonly notices: () => 'connected' | 'lost' | 'none';
  readonly metrics: () => Promise<string>;
}

/** Calls for monitoring: readiness, load and metrics. */
export const operationsRoutes = ({
  database,
  runners,
  notices,
  metrics,
}: Deps): Pick<Handlers, 'ready' | 'metrics'> => ({
  // Reads one row of a table that is never empty. If the database is unavailable, the call answers 503.
  ready: async () => {
    await database.read.selectFrom('users').select('id').limit(1).execute();
    return { status: 'ready', runners: runners().length, notices: notices() };
  },

  metrics: async () => ({ stream: await metrics() }),
});
