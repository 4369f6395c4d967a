import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { JobSpec } from '@signalbox/contract/link';
import { z } from 'zod';
import { secretsOf } from '../../workspace/job-secrets.ts';

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * What a runner keeps of an order when the run has ended: the order without its secrets, and what must be masked in the
 * output, encrypted with the key of its lease, which is never on the disk.
 */
export const ClosedJob = z.object({
  order: JobSpec,
  secrets: z.base64().describe('Nonce, ciphertext and tag; empty where nothing is to be masked.'),
});
export type ClosedJob = z.infer<typeof ClosedJob>;

const withoutSecrets = (order: JobSpec): JobSpec => ({
  ...order,
  repository: { ...order.repository, url: '', access: { type: 'none' } },
  inventory: { type: 'static', inventory: '', access: { type: 'none' }, become: null },
  vault_password: null,
  extra_variables: {},
  secret_variables: {},
  secret_environment: {},
  answers: {},
  process_environment: {},
});

/** One run's secrets are not taken for another's. */
const boundTo = ({ task_id, epoch }: JobSpec): Buffer => Buffer.from(`${task_id}-${epoch}`);

const encrypt = (order: JobSpec, key: string, secrets: readonly string[]): string => {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, Buffer.from(key, 'base64'), nonce).setAAD(boundTo(order));
  const body = cipher.update(JSON.stringify(secrets), 'utf8');
  return Buffer.concat([nonce, body, cipher.final(), cipher.getAuthTag()]).toString('base64');
};

/** @param key 32 bytes in base64 */
export const closeJob = (order: JobSpec, key: string): ClosedJob => {
  const secrets = secretsOf(order);
  return { order: withoutSecrets(order), secrets: secrets.length === 0 ? '' : encrypt(order, key, secrets) };
};

/** What must be masked in the output of the run; undefined when this is not the key of its order. */
export const decryptSecrets = ({ order, secrets }: ClosedJob, key: string): string[] | undefined => {
  if (secrets === '') return [];
  const bytes = Buffer.from(secrets, 'base64');
  try {
    const decipher = createDecipheriv(CIPHER, Buffer.from(key, 'base64'), bytes.subarray(0, NONCE_BYTES))
      .setAAD(boundTo(order))
      .setAuthTag(bytes.subarray(-TAG_BYTES));
    const plain = Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]);
    return z.array(z.string()).parse(JSON.parse(plain.toString('utf8')));
  } catch {
    return undefined;
  }
};
