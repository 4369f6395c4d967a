import { findProgram } from '../../process/find-program.ts';
import { runProgram } from '../../process/program.ts';

const LOOKUP_MS = 20_000;

/** With what virtual environments are made. */
export interface PythonTool {
  readonly name: 'uv' | 'pip';
  /** Path of uv; undefined for pip. */
  readonly uv: string | undefined;
  readonly version: string;
  /** Path and version of the interpreter; empty if uv must find one. */
  readonly python: string;
  readonly pythonVersion: string;
}

type Env = Readonly<Record<string, string>>;

/** The output of a small program; undefined if it fails. */
const print = async (file: string, args: readonly string[], env: Env): Promise<string | undefined> => {
  const end = await runProgram(file, args, { env: { ...env }, timeoutMs: LOOKUP_MS });
  return end.code === 0 ? end.stdout.trim() : undefined;
};

const VERSION = 'import platform; print(platform.python_version())';

/** Debian has these modules in a package of their own, `python3-venv`. */
const CAN_MAKE = `import ensurepip, venv; ${VERSION}`;

/** What this runner has: uv, or else Python with the module `venv`; undefined without both. */
export const findPythonTool = async (env: Env): Promise<PythonTool | undefined> => {
  const path = env.PATH ?? '';
  const python = findProgram('python3', path) ?? '';
  const uv = findProgram('uv', path);
  if (uv !== undefined) {
    const version = (await print(uv, ['--version'], env))?.split(' ')[1];
    const pythonVersion = python === '' ? '' : ((await print(python, ['-I', '-c', VERSION], env)) ?? '');
    if (version !== undefined) return { name: 'uv', uv, version, python, pythonVersion };
  }
  if (python === '') return undefined;
  const pythonVersion = await print(python, ['-I', '-c', CAN_MAKE], env);
  return pythonVersion === undefined
    ? undefined
    : { name: 'pip', uv: undefined, version: pythonVersion, python, pythonVersion };
};
