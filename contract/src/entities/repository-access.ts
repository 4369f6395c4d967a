import { z } from 'zod';
import { Id } from '../fields.ts';
import { Message } from '../messages/message.ts';
import { needs, unlessField } from '../rules.ts';
import { GitUrl, hasSecret, KeySecrets, SECRET_RULES } from './resources.ts';

/** Maximum number of files in a listing. */
export const MAX_LISTED_FILES = 5_000;
/** Files with more levels or longer names are omitted: users do not choose them as playbooks. */
export const MAX_LISTED_DEPTH = 16;
export const MAX_LISTED_PATH = 512;

/** The files of a repository by name, without their content. */
export const RepositoryFiles = z.object({
  files: z.array(z.string()).describe('Paths relative to the root of the repository, sorted.'),
  complete: z.boolean().describe('False if the repository has more files than a listing contains.'),
});
export type RepositoryFiles = z.infer<typeof RepositoryFiles>;

/** Maximum number of files that a scan reads, and maximum bytes of each. */
export const MAX_SCANNED_FILES = 500;
export const MAX_SCANNED_BYTES = 64 * 1024;

/** What a repository has for templates. */
export const RepositoryScan = z.object({
  playbooks: z
    .array(
      z.object({
        path: z.string().describe('Path relative to the root of the repository.'),
        plays: z
          .array(z.string())
          .describe('The names of its first 10 named plays; none if the answer would become too long.'),
      }),
    )
    .describe('The playbooks, sorted by path.'),
  inventories: z.array(z.string()).describe('Paths of the inventory files, sorted.'),
  requirements: z.array(z.string()).describe('Paths of the files that name roles and collections, sorted.'),
  complete: z.boolean().describe('False if files were not read because they are too many or too large.'),
});
export type RepositoryScan = z.infer<typeof RepositoryScan>;

/** The fingerprint of an SSH key. */
export const KeyFingerprint = z.object({
  type: z.string().describe('Type as shown by ssh, such as ED25519.'),
  bits: z.int().describe('Length of the key.'),
  fingerprint: z.string().describe('SHA256 of the public key, as printed by ssh.'),
});
export type KeyFingerprint = z.infer<typeof KeyFingerprint>;

/** How a test of access went. It never has a secret in it. */
export const AccessTest = z.object({
  works: z.boolean().describe('Whether the key can be used and, with a repository, gives access to it.'),
  reason: z.string().describe('Why the test failed, in English; empty on success.'),
  reason_code: Message.nullable().describe(
    'The reason as a code with parameters; null on success, or without a known code.',
  ),
  key: KeyFingerprint.nullable().describe(
    'Fingerprint of an SSH key; null for other keys, and if the key was not read.',
  ),
  branches: z.array(z.string()).nullable().describe('The branches that were found; null if they were not requested.'),
  took_ms: z.int().describe('Duration of the test in milliseconds.'),
});
export type AccessTest = z.infer<typeof AccessTest>;

/** A repository, saved or not, with a saved key. */
export const RepositoryToTest = z.object({ git_url: GitUrl, ssh_key_id: Id });

/** The repository for a test of a saved key. */
export const KeyTest = z.object({
  repository_id: Id.nullable().default(null).describe('Repository for the test; null to test an SSH key alone.'),
});

/** An unsaved key for a test. */
export const KeyToTest = z
  .object({ ...KeySecrets, ...KeyTest.shape })
  .superRefine(hasSecret)
  .meta({
    openapiRules: [...SECRET_RULES, unlessField('type', 'ssh', needs({ repository_id: { type: 'integer' } }))],
  });
