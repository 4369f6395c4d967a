import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { writeDurably } from '../files/durable-file.ts';

const FILE = 'credential.json';

/** What a registered runner knows about its server. The token is secret. */
const Credential = z.object({
  /** Address of the server. */
  server: z.string(),
  /** Name with which the runner registered; empty in credentials of earlier versions. */
  name: z.string().default(''),
  token: z.string().min(1),
  /** Certificates of private authorities, in PEM; empty for those of the system only. */
  ca: z.string().default(''),
  /** Whether the runner takes one task, and is deleted then. */
  ephemeral: z.boolean().default(false),
  /** Earlier tokens, newest first. A server that was restored from a backup knows one of them. */
  earlier: z.array(z.string()).default([]),
});
export type Credential = z.infer<typeof Credential>;

export const credentialFile = (data: string): string => join(data, FILE);

/**
 * Reads the credential of a registered runner. Undefined if the runner is not registered.
 * @throws when the file cannot be read
 */
export const readCredential = async (data: string): Promise<Credential | undefined> => {
  let text: string;
  try {
    text = await readFile(credentialFile(data), 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
  return Credential.parse(JSON.parse(text));
};

/** Maximum number of earlier tokens that are kept. */
const MAX_EARLIER = 7;

/** The credential with a new token. */
export const withToken = ({ token: before, earlier, ...rest }: Credential, token: string): Credential => ({
  ...rest,
  token,
  earlier: [before, ...earlier].slice(0, MAX_EARLIER),
});

/** Writes the credential. After a power failure, the file has the old content or the new one. */
export const writeCredential = (data: string, credential: Credential): Promise<void> =>
  writeDurably(credentialFile(data), `${JSON.stringify(credential)}\n`);

/** Deletes the credential of a runner that has ended for good. */
export const removeCredential = (data: string): Promise<void> => rm(credentialFile(data), { force: true });
