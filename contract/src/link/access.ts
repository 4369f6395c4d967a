import { z } from 'zod';
import { Id } from '../fields.ts';

/** A key, decrypted for one run. */
export const Access = z.discriminatedUnion('type', [
  z.object({ type: z.literal('none') }),
  z.object({
    type: z.literal('ssh'),
    login: z.string(),
    private_key: z.string(),
    passphrase: z.string(),
    key: z.object({ id: Id, name: z.string() }).optional().describe('The saved key, so that an error can name it.'),
  }),
  z.object({ type: z.literal('login_password'), login: z.string(), password: z.string() }),
]);
export type Access = z.infer<typeof Access>;

/**
 * The address of the repository of the demo project. Every runner creates this repository from files of the product, so that it
 * needs no network and no setting.
 */
export const DEMO_REPOSITORY_URL = 'file:///signalbox/demo.git';

/** The address of a repository, without its key. */
export const RepositoryAddress = z.object({
  url: z.string(),
  branch: z.string(),
  project_id: Id.optional().describe(
    'The project whose host keys are used. Missing in a job, which has its own project.',
  ),
});

export type RepositoryAddress = z.infer<typeof RepositoryAddress>;

export const RepositorySource = RepositoryAddress.extend({
  id: Id.describe('Id of the repository, which names its mirror on the runner.'),
  access: Access,
});
export type RepositorySource = z.infer<typeof RepositorySource>;
