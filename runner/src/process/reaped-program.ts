import { join } from 'node:path';
import { findProgram } from './find-program.ts';
import { type ProgramEnd, type ProgramOptions, runProgram } from './program.ts';

/** The program that ends what another program started. */
export const REAPER = join(import.meta.dirname, '..', '..', 'supervisor', 'reaper.py');

/** The variables that the reaper itself needs. It runs as the user of the runner, so it gets none of a project. */
const PATH_OF = ({ PATH = '' }: Readonly<Record<string, string>>): Record<string, string> => ({ PATH });

export interface ReapedOptions extends Omit<ProgramOptions, 'input' | 'endsChildren'> {
  readonly cwd: string;
  /** The environment of every child process of the runner, in which Python is searched. */
  readonly base: Readonly<Record<string, string>>;
}

/**
 * Runs a program that executes foreign code, such as that of a package. Everything that it started is killed when it ends, when
 * `signal` is aborted, and when this process ends: also daemons in other sessions without the variables of the run.
 * @param file absolute path
 * @throws the exception of `onOutput`, after the program has ended
 */
export const runReaped = (file: string, args: readonly string[], options: ReapedOptions): Promise<ProgramEnd> => {
  const { base, user, env, cwd, ...rest } = options;
  const account = user && { name: user.name, uid: user.uid, gid: user.gid };
  return runProgram(
    findProgram('python3', base.PATH ?? '') ?? 'python3',
    ['-I', '-S', REAPER, `${process.pid}`],
    // The variables of the program may be secret, or may load code. Only the program gets them.
    {
      ...rest,
      cwd,
      env: PATH_OF(base),
      endsChildren: true,
      input: JSON.stringify({ argv: [file, ...args], cwd, env, user: account ?? null }),
    },
  );
};
