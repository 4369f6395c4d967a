import { made, type RequestDeps, type ValidRequest } from './request.ts';

const REGISTRATIONS = '/runners/registrations';

/** A new runner. */
const someRunner = async ({ admin }: RequestDeps, name: string) => ({
  params: { runner_id: await made(admin, '/runners', { name }) },
});

/** Valid requests about runners and their registration tokens. */
export const RUNNER_REQUESTS = {
  listRunners: (): ValidRequest => ({}),
  createRunner: (_deps: RequestDeps, name: string): ValidRequest => ({ body: { name } }),
  getRunner: someRunner,
  updateRunner: async (deps: RequestDeps, name: string): Promise<ValidRequest> => ({
    ...(await someRunner(deps, name)),
    body: { tags: ['dmz'] },
  }),
  drainRunner: async (deps: RequestDeps, name: string): Promise<ValidRequest> => {
    const request = await someRunner(deps, name);
    const { database } = deps.server.storage;
    const linked = { process: name, connection: name };
    const { runner_id: id } = request.params;
    await database.autocommit.updateTable('runner').set(linked).where('id', '=', id).execute();
    return request;
  },
  deleteRunner: someRunner,
  listRunnerRegistrations: (): ValidRequest => ({}),
  createRunnerRegistration: (_deps: RequestDeps, name: string): ValidRequest => ({ body: { name } }),
  revokeRunnerRegistration: async ({ admin }: RequestDeps, name: string): Promise<ValidRequest> => ({
    params: { registration_id: await made(admin, REGISTRATIONS, { name }) },
  }),
  rotateRunnerToken: async ({ admin }: RequestDeps, name: string): Promise<ValidRequest> => ({
    params: { runner_id: await made(admin, '/runners', { name }) },
  }),
  registerRunner: async ({ admin }: RequestDeps, name: string): Promise<ValidRequest> => {
    const { token } = (await admin.post(REGISTRATIONS, { name, uses: 10 })).json<{ token: string }>();
    return { body: { token, host_name: name } };
  },
} as const;
