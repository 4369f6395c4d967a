import type { KeyFingerprint } from '@signalbox/contract';
import { QueryError } from '../errors/query-error.ts';
import { findProgram } from '../process/find-program.ts';
import { runProgram } from '../process/program.ts';
import { type KeyOptions, openSshKey, type SshKey } from './ssh-key.ts';

const LIST_TIMEOUT_MS = 10_000;

/** `256 SHA256:… comment (ED25519)`, the format of ssh-add for the keys of an agent. */
const LISTED = /^(\d+) (SHA256:\S+) .*\(([^()]+)\)$/m;

/**
 * The fingerprint of an ssh key. The key is opened in a separate agent, which has ended when this resolves.
 * @throws PreparationError, also if the passphrase is wrong
 */
export const readFingerprint = async (key: SshKey, options: KeyOptions): Promise<KeyFingerprint> => {
  const opened = await openSshKey(key, options);
  try {
    const file = findProgram('ssh-add', options.env.PATH ?? '') ?? 'ssh-add';
    const end = await runProgram(file, ['-l', '-E', 'sha256'], {
      env: { ...options.env, SSH_AUTH_SOCK: opened.socket },
      timeoutMs: LIST_TIMEOUT_MS,
      signal: options.signal,
    });
    const [, bits, fingerprint, type] = LISTED.exec(end.stdout) ?? [];
    if (!bits || !fingerprint || !type)
      throw new QueryError('The ssh key can be used, but its fingerprint could not be read.', {
        code: 'query.fingerprint_unreadable',
        params: {},
      });
    return { type, bits: Number(bits), fingerprint };
  } finally {
    await opened.close();
  }
};
