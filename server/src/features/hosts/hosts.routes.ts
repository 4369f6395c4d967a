import type { Database } from '../../database/database.ts';
import type { Handlers } from '../../http/calls/call.ts';
import { notFound } from '../../http/errors/api-error.ts';
import { findHost, listHosts } from './host.store.ts';

const DEFAULT_HOSTS = 200;

export const hostsRoutes = (database: Database): Pick<Handlers, 'listHosts' | 'getHost'> => ({
  listHosts: async ({ params, query }) => {
    const first = query.from ?? 1;
    const page = await listHosts(database.read, {
      projectId: params.project_id,
      first,
      limit: query.limit ?? DEFAULT_HOSTS,
      sort: query.sort ?? 'host',
      order: query.order ?? 'asc',
      name: query.name,
    });
    return { first, ...page };
  },

  getHost: async ({ params }) => {
    const host = await findHost(database.read, params.project_id, params.host_id);
    if (!host) throw notFound();
    return host;
  },
});
