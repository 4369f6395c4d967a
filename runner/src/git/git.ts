import { DISK_FULL, PreparationError } from '../errors/preparation-error.ts';
import { type ProgramEnd, runProgram } from '../process/program.ts';
import { gitEndReason, gitMessage } from './git-error.ts';

/** How long one call of git may take, in milliseconds: the first fetch of a large repository takes long. */
const GIT_TIMEOUT_MS = 30 * 60_000;

export interface GitOptions {
  env: Record<string, string>;
  signal: AbortSignal;
  timeoutMs?: number;
  /** Where the keys of hosts are kept, for the sentence that a refused one gets. */
  hostKeyFile?: string;
}

/** What one call reads and may print. */
interface CallOptions {
  input?: string;
  /** Most bytes kept of what it prints. */
  maxOutput?: number;
}

/** Settings of every call, whatever a person's or the system's configuration of git says. */
const SETTINGS = ['-c', 'gc.auto=0', '-c', 'advice.detachedHead=false', '-c', 'core.hooksPath=/dev/null'];

export const gitEnvironment = (base: Record<string, string>, configFile: string): Record<string, string> => ({
  ...base,
  // What the machine's other programs trust; git has names of its own for it.
  ...(base.SSL_CERT_FILE === undefined ? {} : { GIT_SSL_CAINFO: base.SSL_CERT_FILE }),
  ...(base.SSL_CERT_DIR === undefined ? {} : { GIT_SSL_CAPATH: base.SSL_CERT_DIR }),
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: configFile,
  GIT_TERMINAL_PROMPT: '0',
  GIT_ALLOW_PROTOCOL: 'file',
  // Files of Git LFS are brought by us, from where they are.
  GIT_LFS_SKIP_SMUDGE: '1',
  // Messages that we read are in English.
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
    ? new PreparationError('disk', DISK_FULL)
    : new PreparationError(
        'repository',
        gitMessage(failing, end, options.hostKeyFile),
        gitEndReason(end, options.hostKeyFile !== undefined),
      );

/** Runs git; what goes wrong becomes a error that begins with `failing`. */
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
