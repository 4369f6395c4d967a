import type { Database } from '../../database/database.ts';
import type { Handlers } from '../../http/call.ts';

interface Needs {
  readonly database: Database;
  readonly runners: () => readonly unknown[];
  readonly metrics: () => Promise<string>;
}

/** What those ask who look after the server: whether it can work, and how much it does. */
export const operationsRoutes = ({ database, runners, metrics }: Needs): Pick<Handlers, 'ready' | 'metrics'> => ({
  // One row of a table that is never empty: a database that is away fails it, and so the call, with 503.
  ready: async () => {
    await database.read.selectFrom('users').select('id').limit(1).execute();
    return { status: 'ready', runners: runners().length };
  },

  metrics: async () => ({ stream: await metrics() }),
});
