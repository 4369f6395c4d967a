import type { Database } from '../../database/database.ts';
import { belongsTo } from '../../database/queries/same-project.ts';
import { type Handlers, hiddenFrom } from '../../http/calls/call.ts';
import { notFound } from '../../http/errors/api-error.ts';
import { findHost, listHosts } from './host.store.ts';
import { listTemplateHosts } from './template-hosts.ts';

const DEFAULT_HOSTS = 200;

export const hostsRoutes = (database: Database): Pick<Handlers, 'listHosts' | 'listTemplateHosts' | 'getHost'> => ({
  listHosts: async ({ params, query, membership }) => {
    const first = query.from ?? 1;
    const page = await listHosts(database, {
      projectId: params.project_id,
      first,
      limit: query.limit ?? DEFAULT_HOSTS,
      sort: query.sort ?? 'host',
      order: query.order ?? 'asc',
      name: query.name,
      hidden: hiddenFrom(membership),
    });
    return { first, ...page };
  },

  listTemplateHosts: async ({ params: { project_id, template_id } }) => {
    if (!(await belongsTo(database.read, 'template', template_id, project_id))) throw notFound();
    return await listTemplateHosts(database.read, project_id, template_id);
  },

  getHost: async ({ params, membership }) => {
    const host = await findHost(database.read, params.project_id, params.host_id, hiddenFrom(membership));
    if (!host) throw notFound();
    return host;
  },
});
