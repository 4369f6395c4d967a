import type { ExecutionEnvironment, ProvidedEnvironment } from '@signalbox/contract';
import type { Access, CommonJob } from '@signalbox/contract/link';
import type { Cache } from '../cache/cache-cleaner.ts';
import type { SupervisorCommand } from '../process/idle-supervisor.ts';
import type { PhaseClock } from '../workspace/phase-clock.ts';
import type { Preparation } from '../workspace/preparation.ts';
import type { OwnedWorkspace, ReleasedWorkspace } from '../workspace/workspace.ts';

/** A program that an app starts in an execution environment. */
export interface EnvironmentCommand {
  /** The path of the program, as `program` names it, and its arguments. */
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  /** Paths of the runner outside of the workspace that it reads, such as installed requirements. */
  readonly reads?: readonly string[];
  /** Paths of the runner outside of the workspace that it writes to. */
  readonly writes?: readonly string[];
}

/** What the runner starts for such a program, in the same folder and as the run user unless it starts a container. */
export interface StartCommand {
  readonly argv: string[];
  readonly env: Record<string, string>;
  /** The container that it starts as the user of the runner; undefined if it starts none. */
  readonly container?: SupervisorCommand['container'];
}

/** An execution environment that is ready for the programs of one run. */
export interface ReadyEnvironment {
  /**
   * The absolute path of a program, as programs in the environment see it.
   * @throws PreparationError if it is not installed there
   */
  program(name: string): string;
  /** How a program is started in the environment. Secrets stay in its variables and files, and never are in `argv`. */
  makeCommand(command: EnvironmentCommand): StartCommand;
}

/** The program of an app, which an execution environment must have. */
export interface WantedProgram {
  readonly name: string;
  /** The Python package that has it; empty if there is none. */
  readonly package: string;
}

/** What an execution environment is prepared for. A query about an inventory has no run. */
export interface EnvironmentRequest<Environment extends ExecutionEnvironment = ExecutionEnvironment> {
  readonly environment: Environment;
  readonly projectId: number;
  readonly program: WantedProgram;
  /** The environment of every child process of the runner. */
  readonly base: Readonly<Record<string, string>>;
  /** The environment variables of the run, also those with secret values. */
  readonly variables: Readonly<Record<string, string>>;
  /** The login of the registry of a container image. */
  readonly registryAccess: Access;
  /** A folder outside the workspace that is removed with the secrets of the run. */
  readonly containerFolder: string;
  /** The value of `RUN_MARKER` for every process. */
  readonly marker: string;
  readonly signal: AbortSignal;
  readonly log: { line(text: string): void; write(chunk: Buffer): void };
  /** Writes into the log how long a phase took. */
  readonly done: PhaseClock;
  /** Notes a cached folder that is read until the run ends. */
  readonly recordUse: (path: string) => Promise<void>;
  /** Records versions that the run is executed with. */
  readonly recordVersions: Preparation['recordVersions'];
}

/** Makes the environment ready, once the workspace belongs to the run user. It may start programs as this user. */
export type ReadyStep = (workspace: ReleasedWorkspace) => Promise<ReadyEnvironment>;

/**
 * A kind of execution environments. Each has a folder or file next to this one and an entry in `Environments`.
 *
 * What keeps other kinds possible, such as a Kubernetes job: an app knows its programs only by the paths and commands that a
 * ready environment returns; everything that a program needs is in the workspace or named in `reads` and `writes`, so it can be
 * mounted or copied; and the command that it makes is one process on the runner, which ends when the program ends, writes its output
 * and reacts to signals. Whatever runs elsewhere is supervised, stopped and logged through that process.
 */
export interface EnvironmentKindOf<Environment extends ExecutionEnvironment> {
  /** What it keeps between runs. */
  readonly cache?: Cache;

  /** Returns the program that provides this kind; undefined if the runner cannot. */
  detect(): Promise<Omit<ProvidedEnvironment, 'kind'> | undefined>;

  /**
   * Checks a request before the code is fetched.
   * @throws PreparationError
   */
  check(request: EnvironmentRequest<Environment>): void;

  /**
   * Reads what it needs of the checkout, and writes its own files.
   * @throws PreparationError
   */
  prepare(request: EnvironmentRequest<Environment>, workspace: OwnedWorkspace): Promise<ReadyStep>;
}

/** The request of a run. */
export const requestOf = (run: Preparation<CommonJob>, program: WantedProgram): EnvironmentRequest => ({
  environment: run.job.execution_environment,
  projectId: run.job.project_id,
  program,
  base: run.context.base,
  variables: { ...run.job.process_environment, ...run.job.secret_environment },
  registryAccess: run.job.registry_access,
  containerFolder: run.containerFolder,
  marker: run.marker,
  signal: run.signal,
  log: run.log,
  done: run.done,
  recordUse: run.recordUse,
  recordVersions: run.recordVersions,
});
