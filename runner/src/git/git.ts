import { FULL_DISK, PreparationFault } from '../prepare/preparation-fault.ts';
import { type ProgramEnd, runProgram } from '../process/program.ts';

/** How long one call of git may take, in milliseconds: the first fetch of a large repository takes long. */
const GIT_TIMEOUT_MS = 30 * 60_000;

export interface GitOptions {
  env: Record<string, string>;
  signal: AbortSignal;
  timeoutMs?: number;
}

/** Settings of every call, whatever a person's or the system's configuration of git says. */
const SETTINGS = ['-c', 'gc.auto=0', '-c', 'advice.detachedHead=false', '-c', 'core.hooksPath=/dev/null'];

export const gitEnvironment = (base: Record<string, string>, configFile: string): Record<string, string> => ({
  ...base,
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: configFile,
  GIT_TERMINAL_PROMPT: '0',
  GIT_ALLOW_PROTOCOL: 'file',
  // Messages that we read are in English.
  LC_ALL: 'C.UTF-8',
  LANGUAGE: '',
});

/** Runs git to its end. */
export const tryGit = (args: readonly string[], options: GitOptions): Promise<ProgramEnd> =>
  runProgram('git', [...SETTINGS, ...args], {
    env: options.env,
    signal: options.signal,
    timeoutMs: options.timeoutMs ?? GIT_TIMEOUT_MS,
  });

/** The part of what git wrote that tells a person what is wrong, on one line and without user info of URLs. */
export const gitReason = (end: ProgramEnd): string => {
  if (end.fault === 'missing') return 'git is not installed';
  if (end.fault === 'timeout') return 'it took too long';
  if (end.code === null) return 'git was ended by a signal';
  const rows = end.stderr.split('\n').map((row) => row.trim());
  const telling = rows.filter((row) => /^(fatal|error|ssh|remote|ERROR|Permission denied|Host key)/i.test(row));
  const text = (telling.length > 0 ? telling : rows.filter(Boolean)).slice(0, 3).join('; ');
  return text
    .replace(/\b(fatal|error): /g, '')
    .replace(/(:\/\/)[^/\s@]*@/g, '$1')
    .slice(0, 500)
    .replace(/\.$/, '');
};

/** What went wrong, beginning with `failing`. */
export const gitFault = (failing: string, end: ProgramEnd): PreparationFault =>
  /No space left on device|Disk quota exceeded/.test(end.stderr)
    ? new PreparationFault('disk', FULL_DISK)
    : new PreparationFault('repository', `${failing}: ${gitReason(end)}.`);

/** Runs git; what goes wrong becomes a fault that begins with `failing`. */
export const git = async (args: readonly string[], failing: string, options: GitOptions): Promise<string> => {
  const end = await tryGit(args, options);
  if (end.code !== 0) throw gitFault(failing, end);
  return end.stdout;
};
