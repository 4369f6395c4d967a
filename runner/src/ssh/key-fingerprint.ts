import type { KeyFingerprint } from '@signalbox/contract';
import { PreparationError } from '../errors/preparation-error.ts';
import { findProgram } from '../process/find-program.ts';
import { runProgram } from '../process/program.ts';
import { type KeyOptions, openSshKey, type SshKey } from './ssh-key.ts';

const LIST_TIMEOUT_MS = 10_000;

/** `256 SHA256:… comment (ED25519)`, as ssh-add lists what an agent holds. */
const LISTED = /^(\d+) (SHA256:\S+) .*\(([^()]+)\)$/m;

/**
 * What an ssh key is told by. It is opened in an agent of its own, which is gone again when this settles.
 * @throws PreparationError, also when its passphrase is wrong
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
      throw new PreparationError('preparation', 'The ssh key can be used, but its fingerprint could not be read.');
    return { type, bits: Number(bits), fingerprint };
  } finally {
    await opened.close();
  }
};
