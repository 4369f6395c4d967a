import { existsSync } from 'node:fs';
import { chmod, mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PreparationError } from '../../errors/preparation-error.ts';
import { RUN_MARKER } from '../../process/process-table.ts';
import { changeOwner } from '../../process/process-user.ts';
import { runReaped } from '../../process/reaped-program.ts';
import type { ProcessUser } from '../../process/user.ts';
import { reclaim } from '../../workspace/content-cache.ts';
import type { EnvironmentRequest } from '../environment.ts';
import { makeBuildError } from './build-errors.ts';
import { forPip, forUv } from './build-variables.ts';
import { BUILD, type BuiltEnvironment, removeFolders, writeCurrent } from './built-environment.ts';
import type { PythonRequirements } from './python-requirements.ts';
import type { PythonTool } from './python-tool.ts';

/** Time limit of each step, in milliseconds. */
const STEP_MS = 15 * 60_000;
const VERSION_MS = 60_000;

/** What one build needs. */
export interface Build {
  readonly request: Pick<EnvironmentRequest, 'base' | 'marker' | 'signal' | 'log' | 'program'>;
  readonly tool: PythonTool;
  readonly requirements: PythonRequirements;
  /** The variables of the run that pip and uv get. */
  readonly variables: Readonly<Record<string, string>>;
  readonly user: ProcessUser | undefined;
}

/**
 * The variables of the programs of a build. Their home and caches are in the folder of the build, because other runs of the
 * same user could change what is in a shared one.
 */
const environmentOf = ({ request: { base, marker }, tool, variables }: Build, folder: string) => ({
  ...(tool.name === 'uv' ? forUv(base, variables) : forPip(base, variables)),
  HOME: join(folder, 'home'),
  TMPDIR: join(folder, 'tmp'),
  PIP_NO_CACHE_DIR: '1',
  PIP_NO_INPUT: '1',
  PIP_DISABLE_PIP_VERSION_CHECK: '1',
  // The run user may be root in a container, and the folder is used by nothing else.
  PIP_ROOT_USER_ACTION: 'ignore',
  UV_NO_CACHE: '1',
  UV_NO_PROGRESS: '1',
  // Another Python would be in the home that is removed after the build.
  UV_PYTHON_DOWNLOADS: 'never',
  UV_LINK_MODE: 'copy',
  PYTHONUNBUFFERED: '1',
  [RUN_MARKER]: marker,
});

/** The commands that make an environment and install the requirements. */
const commandsOf = ({ tool, requirements, variables }: Build, folder: string): readonly (readonly string[])[] => {
  const venv = join(folder, 'venv');
  const python = join(venv, 'bin', 'python');
  const constraints = requirements.constraints.length > 0 ? ['-c', join(folder, 'constraints.txt')] : [];
  const files = ['-r', join(folder, 'requirements.txt'), ...constraints];
  if (tool.uv === undefined)
    return [
      [tool.python, '-I', '-m', 'venv', venv],
      [python, '-I', '-m', 'pip', 'install', '--progress-bar', 'off', ...files],
    ];
  const interpreter = tool.python === '' || variables.UV_PYTHON !== undefined ? [] : ['--python', tool.python];
  return [
    [tool.uv, 'venv', '--no-project', ...interpreter, venv],
    [tool.uv, 'pip', 'install', '--python', python, '--compile-bytecode', ...files],
  ];
};

const run = async (build: Build, folder: string, argv: readonly string[]): Promise<void> => {
  const { request, user, tool } = build;
  const [file = '', ...args] = argv;
  const end = await runReaped(file, args, {
    ...{ base: request.base, cwd: folder, env: environmentOf(build, folder), user },
    ...{ signal: request.signal, timeoutMs: STEP_MS },
    onOutput: (chunk) => request.log.write(chunk),
  });
  if (end.code === 0) return;
  request.signal.throwIfAborted();
  throw makeBuildError(tool, end, STEP_MS);
};

/** Prints the version of Python, and that of a package unless another package has its programs. */
const VERSIONS = [
  'import platform, sys',
  'from importlib.metadata import PackageNotFoundError, version',
  'print(platform.python_version())',
  'try:',
  '    print(version(sys.argv[1]) if sys.argv[1] else "")',
  'except PackageNotFoundError:',
  '    pass',
].join('\n');

/** The versions of Python and of the package that has the program of the app; empty if another package has it. */
const readVersions = async ({ request, user, tool }: Build, folder: string) => {
  const { base, marker, signal, log } = request;
  const end = await runReaped(join(folder, 'venv', 'bin', 'python'), ['-I', '-c', VERSIONS, request.program.package], {
    ...{ base, cwd: folder, env: { ...base, [RUN_MARKER]: marker }, signal, timeoutMs: VERSION_MS, user },
  });
  signal.throwIfAborted();
  if (end.code !== 0) {
    log.write(Buffer.from(end.stderr));
    throw makeBuildError(tool, end, VERSION_MS);
  }
  const [python = '', version = ''] = end.stdout.trim().split('\n');
  return { python, version };
};

const checkProgram = ({ request: { program } }: Build, folder: string): void => {
  if (existsSync(join(folder, 'venv', 'bin', program.name))) return;
  throw new PreparationError(
    'preparation',
    `The requirements of the virtual environment install no ${program.name}: add ${program.package} to them.`,
    { code: 'virtual_environment.program_missing', params: { program: program.name, package: program.package } },
  );
};

/**
 * Builds a virtual environment where it will be used, because its scripts contain the path of its Python.
 * @param entry its folder in the cache, which may contain the rest of a build that was killed
 * @throws PreparationError
 */
export const buildEnvironment = async (build: Build, entry: string, id: string): Promise<BuiltEnvironment> => {
  const { user, request, requirements } = build;
  const env = { ...request.base };
  const folder = join(entry, `${BUILD}${id}`);
  await mkdir(entry, { recursive: true, mode: 0o711 });
  await chmod(entry, user === undefined ? 0o700 : 0o711);
  await removeFolders(entry, await readdir(entry), env);
  try {
    for (const name of ['', 'home', 'tmp']) await mkdir(join(folder, name), { mode: 0o700 });
    const text = (lines: readonly string[]) => lines.map((line) => `${line}\n`).join('');
    await writeFile(join(folder, 'requirements.txt'), text(requirements.requirements), { mode: 0o600 });
    await writeFile(join(folder, 'constraints.txt'), text(requirements.constraints), { mode: 0o600 });
    if (user) await changeOwner(user, [folder], env);
    for (const argv of commandsOf(build, folder)) await run(build, folder, argv);
    checkProgram(build, folder);
    const built = { folder: `${BUILD}${id}`, ...(await readVersions(build, folder)) };
    await removeFolders(folder, ['home', 'tmp'], env, user);
    if (user) await reclaim(user, folder, env);
    await writeCurrent(entry, built);
    return built;
  } catch (error) {
    await removeFolders(entry, [`${BUILD}${id}`], env);
    throw error;
  }
};
