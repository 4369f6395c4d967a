import { findProgram } from '../../process/find-program.ts';
import { RUN_MARKER } from '../../process/process-table.ts';
import { type ProgramEnd, type ProgramOptions, runProgram } from '../../process/program.ts';

const VERSION_MS = 20_000;

export type EngineName = 'podman' | 'docker';

/** Settings of the runner for containers. */
export interface ContainerSettings {
  /** The engine to use; empty for the first that is found, `none` for no containers. */
  readonly engine: EngineName | 'none' | '';
  /** Arguments of the engine before its command, such as `--runtime runc`. */
  readonly arguments: readonly string[];
  /** Arguments of `run` in addition to those of Signalbox, such as `--ulimit nofile=1024:1024`. */
  readonly runArguments: readonly string[];
  /** The networks that a run may choose. */
  readonly networks: readonly string[];
  /** Variables of the runner that only the engine gets, such as XDG_RUNTIME_DIR. */
  readonly env: Readonly<Record<string, string>>;
}

/** The program that starts containers. */
export interface Engine {
  readonly name: EngineName;
  readonly version: string;
  /** The absolute path of the program and its global arguments. */
  readonly command: readonly [string, ...string[]];
  /** The environment of the engine. It never contains a variable of a template, which could redirect it. */
  readonly env: Record<string, string>;
  readonly settings: ContainerSettings;
}

/** docker only works with its service, whose version is therefore read. */
const FORMAT: Readonly<Record<EngineName, string>> = {
  podman: '{{.Client.Version}}',
  docker: '{{.Server.Version}}',
};

/** Finds an engine that answers; undefined if there is none. */
export const findEngine = async (
  settings: ContainerSettings,
  base: Readonly<Record<string, string>>,
): Promise<Engine | undefined> => {
  const names = (['podman', 'docker'] as const).filter((name) => settings.engine === '' || settings.engine === name);
  const env = { ...base, ...settings.env };
  for (const name of names) {
    const file = findProgram(name, base.PATH ?? '');
    if (file === undefined) continue;
    const command: Engine['command'] = [file, ...settings.arguments];
    const args = [...settings.arguments, 'version', '--format', FORMAT[name]];
    const end = await runProgram(file, args, { env, timeoutMs: VERSION_MS });
    const version = /^\d+\.\d+[\w.+~-]*$/.exec(end.stdout.trim())?.[0];
    if (end.code === 0 && version !== undefined) return { name, version, command, env, settings };
  }
  return undefined;
};

/** @param marker that of the run for which the engine is called, so that it ends with the run */
export const callEngine = (
  { command: [file, ...global], env }: Engine,
  args: readonly string[],
  { marker, ...options }: Omit<ProgramOptions, 'env'> & { readonly marker?: string },
): Promise<ProgramEnd> =>
  runProgram(file, [...global, ...args], {
    ...options,
    env: marker === undefined ? env : { ...env, [RUN_MARKER]: marker },
  });
