import { z } from 'zod';

/** Maximum number of collections and of roles that are recorded, and length of a name and of a version. */
export const MAX_RECORDED_REQUIREMENTS = 300;
export const MAX_VERSION_TEXT = 200;

const text = z.string().max(MAX_VERSION_TEXT);
const program = text.nullable();
const requirements = z
  .array(z.object({ name: text.describe('Name.'), version: text.describe('Version; empty if unknown.') }))
  .max(MAX_RECORDED_REQUIREMENTS);

/** What a run was executed with. */
export const RunVersions = z.object({
  ansible: program.describe('Version of ansible-core; null if no playbook was started.'),
  python: program.describe('Version of the Python of Ansible; null if no playbook was started.'),
  image_digest: program.describe('Digest of the image of the container; null without a container.'),
  collections: requirements.describe('The collections that were installed from requirements.'),
  roles: requirements.describe('The roles that were installed from requirements.'),
});
export type RunVersions = z.infer<typeof RunVersions>;

/** A version that differs between two runs. */
export const VersionDifference = z.object({
  what: z.enum(['ansible', 'python', 'image_digest', 'collection', 'role']).describe('What has the version.'),
  name: z.string().describe('Name of the collection or role; else empty.'),
  earlier: z.string().nullable().describe('Its version in the earlier run; null if the run did not have it.'),
  later: z.string().nullable().describe('Its version in the later run; null if the run did not have it.'),
});
export type VersionDifference = z.infer<typeof VersionDifference>;
