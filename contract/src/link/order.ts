import { z } from 'zod';
import { InventoryType } from '../entities/resources.ts';
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

/** Left out by a server that knows no secret variables. */
const Secrets = z.record(z.string(), z.string()).default({});

const JsonObject = z.record(z.string(), z.json());

/** Everything that a runner needs for one run, and nothing that it does not: the secrets of this run only. */
export const Order = z.object({
  task_id: Id,
  epoch: z.int(),
  project_id: Id,
  template_name: z.string(),
  repository: RepositorySource,
  commit: z.string().nullable().describe('A full commit hash to run instead of the tip of the branch.'),
  playbook: z.string(),
  inventory: z.object({ type: InventoryType, inventory: z.string(), access: Access, become: Access.nullable() }),
  vault_password: z.string().nullable(),
  extra_variables: JsonObject.describe('The JSON of the environment.'),
  secret_variables: Secrets.describe('Extra variables whose values are data, and must not show.'),
  secret_environment: Secrets.describe('Environment variables of the process whose values must not show.'),
  answers: JsonObject.describe('Survey answers: data that Ansible must never template.'),
  task_details: JsonObject.describe('What playbooks read as semaphore_vars.task_details; data as well.'),
  process_environment: z.record(z.string(), z.string()),
  max_duration: z.number().default(0).describe('Seconds after which the run is ended; 0 means no limit.'),
  arguments: z.array(z.string()).describe("The template's, then the task's."),
  limit: z.string(),
  debug: z.boolean(),
  dry_run: z.boolean(),
  diff: z.boolean(),
});
export type Order = z.infer<typeof Order>;
