import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { JobSpec } from '@signalbox/contract/link';
import { z } from 'zod';
import type { Apps } from '../../apps/apps.ts';

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * What a runner keeps of a job when its run has ended: the job without its secrets, and what must be masked in the output,
 * encrypted with the key of the lease, which is never on the disk.
 */
export const ClosedJob = z.object({
  job: JobSpec,
  secrets: z.base64().describe('Nonce, ciphertext and tag; empty if nothing is to be masked.'),
});
export type ClosedJob = z.infer<typeof ClosedJob>;

/** The name under which earlier versions stored the job. */
const OLD_JOB_FIELD = 'order';

/** A closed job in the format of earlier versions. */
export const OldClosedJob = z
  .object({ [OLD_JOB_FIELD]: JobSpec, secrets: ClosedJob.shape.secrets })
  .transform((old): ClosedJob => ({ job: old[OLD_JOB_FIELD], secrets: old.secrets }));

/** Binds the secrets to one run. */
const contextOf = ({ task_id, epoch }: JobSpec): Buffer => Buffer.from(`${task_id}-${epoch}`);

const encrypt = (job: JobSpec, key: string, secrets: readonly string[]): string => {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, Buffer.from(key, 'base64'), nonce).setAAD(contextOf(job));
  const body = cipher.update(JSON.stringify(secrets), 'utf8');
  return Buffer.concat([nonce, body, cipher.final(), cipher.getAuthTag()]).toString('base64');
};

/** @param key 32 bytes in base64 */
export const closeJob = (job: JobSpec, key: string, apps: Pick<Apps, 'secretsOf' | 'withoutSecrets'>): ClosedJob => {
  const secrets = apps.secretsOf(job);
  return { job: apps.withoutSecrets(job), secrets: secrets.length === 0 ? '' : encrypt(job, key, secrets) };
};

/** The secrets to mask in the output of the run; undefined if this is not the key of its job. */
export const decryptSecrets = ({ job, secrets }: ClosedJob, key: string): string[] | undefined => {
  if (secrets === '') return [];
  const bytes = Buffer.from(secrets, 'base64');
  try {
    const decipher = createDecipheriv(CIPHER, Buffer.from(key, 'base64'), bytes.subarray(0, NONCE_BYTES))
      .setAAD(contextOf(job))
      .setAuthTag(bytes.subarray(-TAG_BYTES));
    const plain = Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]);
    return z.array(z.string()).parse(JSON.parse(plain.toString('utf8')));
  } catch {
    return undefined;
  }
};
