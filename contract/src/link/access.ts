import { z } from 'zod';
import { Id } from '../fields.ts';

/** A key opened for one run. */
export const Access = z.discriminatedUnion('type', [
  z.object({ type: z.literal('none') }),
  z.object({
    type: z.literal('ssh'),
    login: z.string(),
    private_key: z.string(),
    passphrase: z.string(),
    key: z.object({ id: Id, name: z.string() }).optional().describe('The saved key, so that a failure can name it.'),
  }),
  z.object({ type: z.literal('login_password'), login: z.string(), password: z.string() }),
]);
export type Access = z.infer<typeof Access>;

/**
 * The address of the demo project's repository. Every runner makes that repository itself from the product's own files,
 * so that it needs no network, no setting, and is the same on each machine.
 */
export const DEMO_REPOSITORY_URL = 'file:///signalbox/demo.git';

/** Where a repository is, without the key to it. */
export const RepositoryAddress = z.object({
  url: z.string(),
  branch: z.string(),
  project_id: Id.optional().describe('Whose host keys count; the one of its order where it is part of one.'),
});

export type RepositoryAddress = z.infer<typeof RepositoryAddress>;

export const RepositorySource = RepositoryAddress.extend({
  id: Id.describe('Names the mirror that the runner keeps.'),
  access: Access,
});
export type RepositorySource = z.infer<typeof RepositorySource>;
