import { z } from 'zod';
import { Id } from '../fields.ts';
import { Message } from '../messages/message.ts';
import { needs, unlessField } from '../rules.ts';
import { GitUrl, hasSecret, KeySecrets, SECRET_RULES } from './resources.ts';

/** Most files that one listing names. */
export const MAX_LISTED_FILES = 5_000;
/** What is deeper, or has a longer name, is no playbook that a person picks. */
export const MAX_LISTED_DEPTH = 16;
export const MAX_LISTED_PATH = 512;

/** The files of a repository by name, without anything that is in them. */
export const RepositoryFiles = z.object({
  files: z.array(z.string()).describe('Paths from the top of the repository, sorted.'),
  complete: z.boolean().describe('False when there are more than one listing names.'),
});
export type RepositoryFiles = z.infer<typeof RepositoryFiles>;

/** What an ssh key is told by. */
export const KeyFingerprint = z.object({
  type: z.string().describe('As ssh names it, such as ED25519.'),
  bits: z.int().describe('Length of the key.'),
  fingerprint: z.string().describe('SHA256 of its public half, as ssh prints it.'),
});
export type KeyFingerprint = z.infer<typeof KeyFingerprint>;

/** How a test of access went. It never has a secret in it. */
export const AccessTest = z.object({
  works: z.boolean().describe('Whether the key can be used, and opens the repository if there is one.'),
  reason: z.string().describe('Why it does not work, in one sentence in English; empty when it works.'),
  reason_code: Message.nullable().describe(
    'The same as a code with its values; null when it works, or when no code is known.',
  ),
  key: KeyFingerprint.nullable().describe('What an ssh key is told by; null for another, and where it was not read.'),
  branches: z.array(z.string()).nullable().describe('The branches that were found; null where none were looked for.'),
  took_ms: z.int().describe('How long it took, in milliseconds.'),
});
export type AccessTest = z.infer<typeof AccessTest>;

/** A repository as a form has it, saved or not, with a key that is saved. */
export const RepositoryToTest = z.object({ git_url: GitUrl, ssh_key_id: Id });

/** What a saved key is to open. */
export const KeyTest = z.object({
  repository_id: Id.nullable()
    .default(null)
    .describe('The repository that the key is to open; null for a look at an ssh key alone.'),
});

/** A key as a form has it that is not saved yet. */
export const KeyToTest = z
  .object({ ...KeySecrets, ...KeyTest.shape })
  .superRefine(hasSecret)
  .meta({
    openapiRules: [...SECRET_RULES, unlessField('type', 'ssh', needs({ repository_id: { type: 'integer' } }))],
  });
