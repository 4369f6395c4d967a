import type { Database } from '../../database/database.ts';
import { supportsSchema } from '../../database/migrate.ts';
import type { Handlers } from '../../http/calls/call.ts';
import { ApiError } from '../../http/errors/api-error.ts';

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
  // If the database is unavailable, the check of its migrations fails, and the call answers 503.
  ready: async () => {
    if (!(await supportsSchema(database))) throw new ApiError('unavailable.database_newer');
    return { status: 'ready', runners: runners().length, notices: notices() };
  },

  metrics: async () => ({ stream: await metrics() }),
});
