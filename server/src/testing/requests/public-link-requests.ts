import { replaceLink } from '../../features/public-links/public-link.store.ts';
import type { RequestDeps } from './request.ts';

/** Makes an address, of a badge if there is a template, and returns its secret part. */
const newAddress = async ({ server, sample }: RequestDeps, templateId: number | null) => {
  const part = { projectId: sample.projectId, templateId };
  return await server.storage.database.write((tx) => replaceLink(tx, part, 1, new Date()));
};

const template = async ({ sample }: RequestDeps) => ({ params: { template_id: await sample.template() } });

/** Valid requests for the overview of a project, and for the addresses of feeds and badges. */
export const PUBLIC_LINK_REQUESTS = {
  getOverview: async (_: RequestDeps) => ({}),
  getStorage: async (_: RequestDeps) => ({}),
  getFreedStorage: async (_: RequestDeps) => ({}),
  getTrends: async (_: RequestDeps) => ({}),
  getFeedLink: async (_: RequestDeps) => ({}),
  createFeedLink: async (_: RequestDeps) => ({}),
  deleteFeedLink: async (_: RequestDeps) => ({}),
  getBadgeLink: template,
  createBadgeLink: template,
  deleteBadgeLink: template,
  readFeed: async (deps: RequestDeps) => ({ params: { link_token: await newAddress(deps, null) } }),
  readBadge: async (deps: RequestDeps) => ({
    params: { link_token: await newAddress(deps, await deps.sample.template()) },
  }),
};
