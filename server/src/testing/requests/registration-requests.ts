import { made, type RequestDeps, type ValidRequest } from './request.ts';

const REGISTRATIONS = '/runners/registrations';

/** Valid requests about runners and their registration tokens. */
export const REGISTRATION_REQUESTS = {
  listRunners: (): ValidRequest => ({}),
  createRunner: (_deps: RequestDeps, name: string): ValidRequest => ({ body: { name } }),
  listRunnerRegistrations: (): ValidRequest => ({}),
  createRunnerRegistration: (_deps: RequestDeps, name: string): ValidRequest => ({ body: { name } }),
  revokeRunnerRegistration: async ({ admin }: RequestDeps, name: string): Promise<ValidRequest> => ({
    params: { registration_id: await made(admin, REGISTRATIONS, { name }) },
  }),
  registerRunner: async ({ admin }: RequestDeps, name: string): Promise<ValidRequest> => {
    const { token } = (await admin.post(REGISTRATIONS, { name, uses: 10 })).json<{ token: string }>();
    return { body: { token, host_name: name } };
  },
} as const;
