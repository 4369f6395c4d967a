import { made, type RequestDeps, type ValidRequest } from './request.ts';

const bodyOf = async ({ sample }: RequestDeps) => ({
  template_id: await sample.template(),
  role: 'guest',
  rights: ['run'],
  limit: 'staging',
});

const grant = async (deps: RequestDeps): Promise<ValidRequest> => ({
  params: { grant_id: await made(deps.admin, `${deps.sample.base}/grants`, await bodyOf(deps)) },
});

/** Valid requests about grants. */
export const GRANT_REQUESTS = {
  listGrants: (): ValidRequest => ({}),
  createGrant: async (deps: RequestDeps): Promise<ValidRequest> => ({ body: await bodyOf(deps) }),
  getGrant: grant,
  updateGrant: async (deps: RequestDeps): Promise<ValidRequest> => ({
    ...(await grant(deps)),
    body: { limit: 'test' },
  }),
  deleteGrant: grant,
  listAccessToTemplate: async ({ sample }: RequestDeps): Promise<ValidRequest> => ({
    params: { template_id: await sample.template() },
  }),
} as const;
