import { made, type RequestDeps } from './request.ts';

const template = async ({ sample }: RequestDeps) => ({ params: { template_id: await sample.template() } });

const sharedLaunch = async (deps: RequestDeps, name: string) => {
  const { params } = await template(deps);
  const path = `${deps.sample.base}/templates/${params.template_id}/launches`;
  return { params: { ...params, launch_id: await made(deps.admin, path, { name, shared: true }) } };
};

/** Deletes all saved filters of the sample project, because tests make more requests than a project may have filters. */
const deleteFilters = ({ server, sample }: RequestDeps) =>
  server.storage.database.autocommit.deleteFrom('saved_filter').where('project_id', '=', sample.projectId).execute();

const sharedFilter = async (deps: RequestDeps, name: string) => {
  await deleteFilters(deps);
  const { params: filter } = await template(deps);
  const body = { name, shared: true, filter };
  return { params: { saved_filter_id: await made(deps.admin, `${deps.sample.base}/filters`, body) } };
};

/** Valid requests for saved launches and filters: a new private one, and changes of shared ones of a template. */
export const SAVED_REQUESTS = {
  listSavedLaunches: template,
  listSavedLaunchCounts: async (_: RequestDeps) => ({}),
  getSavedLaunch: sharedLaunch,
  createSavedLaunch: async (deps: RequestDeps, name: string) => ({ ...(await template(deps)), body: { name } }),
  updateSavedLaunch: async (deps: RequestDeps, name: string) => ({
    ...(await sharedLaunch(deps, name)),
    body: { name: `${name} renamed` },
  }),
  deleteSavedLaunch: sharedLaunch,

  listSavedFilters: async (_: RequestDeps) => ({}),
  getSavedFilter: sharedFilter,
  createSavedFilter: async (deps: RequestDeps, name: string) => {
    await deleteFilters(deps);
    return { body: { name, filter: { status: 'error' } } };
  },
  updateSavedFilter: async (deps: RequestDeps, name: string) => ({
    ...(await sharedFilter(deps, name)),
    body: { name: `${name} renamed` },
  }),
  deleteSavedFilter: sharedFilter,
};
