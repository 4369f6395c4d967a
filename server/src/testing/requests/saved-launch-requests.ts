import { made, type RequestDeps } from './request.ts';

const template = async ({ sample }: RequestDeps) => ({ params: { template_id: await sample.template() } });

const shared = async (deps: RequestDeps, name: string) => {
  const { params } = await template(deps);
  const path = `${deps.sample.base}/templates/${params.template_id}/launches`;
  return { params: { ...params, launch_id: await made(deps.admin, path, { name, shared: true }) } };
};

/** Valid requests for saved launches: a new private one, and changes of shared ones. */
export const SAVED_LAUNCH_REQUESTS = {
  listSavedLaunches: template,
  listSavedLaunchCounts: async (_: RequestDeps) => ({}),
  getSavedLaunch: shared,
  createSavedLaunch: async (deps: RequestDeps, name: string) => ({ ...(await template(deps)), body: { name } }),
  updateSavedLaunch: async (deps: RequestDeps, name: string) => ({
    ...(await shared(deps, name)),
    body: { name: `${name} renamed` },
  }),
  deleteSavedLaunch: shared,
};
