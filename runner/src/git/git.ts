import { DISK_FULL, PreparationError } from '../errors/preparation-error.ts';
import { type ProgramEnd, runProgram } from '../process/program.ts';
import { gitEndReason, gitMessage } from './git-error.ts';

/** Maximum time of one call of git, in milliseconds. The first fetch of a large repository takes long. */
const GIT_TIMEOUT_MS = 30 * 60_000;

export interface GitOptions {
  env: Record<string, string>;
  signal: AbortSignal;
  timeoutMs?: number;
  /** Path of the host keys, for the message about a refused key. */
  hostKeyFile?: string;
}

/** Input and output of one call. */
interface CallOptions {
  input?: string;
  /** Maximum bytes of output that are kept. */
  maxOutput?: number;
}

/** Settings of every call, whatever the configuration of the user or the system is. */
const SETTINGS = ['-c', 'gc.auto=0', '-c', 'advice.detachedHead=false', '-c', 'core.hooksPath=/dev/null'];

export const gitEnvironment = (base: Record<string, string>, configFile: string): Record<string, string> => ({
  ...base,
  // Certificates that the administrator configured for all programs; git has other names for these variables.
  ...(base.SSL_CERT_FILE === undefined ? {} : { GIT_SSL_CAINFO: base.SSL_CERT_FILE }),
  ...(base.SSL_CERT_DIR === undefined ? {} : { GIT_SSL_CAPATH: base.SSL_CERT_DIR }),
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: configFile,
  GIT_TERMINAL_PROMPT: '0',
  GIT_ALLOW_PROTOCOL: 'file',
  // The runner fetches files of Git LFS itself.
  GIT_LFS_SKIP_SMUDGE: '1',
  // The runner reads messages in English.
  LC_ALL: 'C.UTF-8',
  LANGUAGE: '',
});

/** Runs git to its end. */
export const tryGit = (args: readonly string[], options: GitOptions, call: CallOptions = {}): Promise<ProgramEnd> =>
  runProgram('git', [...SETTINGS, ...args], {
    ...call,
    env: options.env,
    signal: options.signal,
    timeoutMs: options.timeoutMs ?? GIT_TIMEOUT_MS,
  });

export const gitError = (failing: string, end: ProgramEnd, options: GitOptions): PreparationError =>
  /No space left on device|Disk quota exceeded/.test(end.stderr)
    ? new PreparationError('disk', DISK_FULL, { code: 'disk.full', params: {} })
    : new PreparationError(
        'repository',
        gitMessage(failing, end, options.hostKeyFile),
        gitEndReason(end, options.hostKeyFile !== undefined),
      );

/** Runs git. @throws PreparationError whose message begins with `failing` */
export const git = async (
  args: readonly string[],
  failing: string,
  options: GitOptions,
  call: CallOptions = {},
): Promise<string> => {
  const end = await tryGit(args, options, call);
  if (end.code !== 0) throw gitError(failing, end, options);
  return end.stdout;
};
