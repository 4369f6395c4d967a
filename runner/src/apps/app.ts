import type { EndReason, InventoryHosts } from '@signalbox/contract';
import type { CommonJob, RunnerQuery } from '@signalbox/contract/link';
import type { Cache } from '../cache/cache-cleaner.ts';
import type { EnvironmentCommand, ReadyEnvironment } from '../environments/environment.ts';
import type { GitOptions } from '../git/git.ts';
import type { WarmStart } from '../process/warm-child.ts';
import type { Preparation } from '../workspace/preparation.ts';
import type { RunnerContext } from '../workspace/runner-context.ts';
import type { OwnedWorkspace, ReleasedWorkspace } from '../workspace/workspace.ts';

/**
 * Makes the command of a run once its workspace belongs to the run user and its execution environment is ready. Nothing can be
 * written any more.
 */
export type CommandStep = (workspace: ReleasedWorkspace, environment: ReadyEnvironment) => Promise<EnvironmentCommand>;

/** How the program of a run ended. */
export interface ProgramExit {
  /** Null if it was ended by a signal. */
  readonly code: number | null;
  readonly signal: number | null;
  /** Size of the output when the program ended, in bytes. */
  readonly bytes: number;
}

/** A run whose program has ended. */
export interface EndedRun<Job extends CommonJob = CommonJob> {
  readonly job: Job;
  /** Path of the output. */
  readonly output: string;
  readonly checkout: string;
  /** Path of the events that the program reported. */
  readonly events: string;
  /** Path of the file that exists if the kernel killed a process of a container for its memory limit. */
  readonly outOfMemory: string;
  /** The program that starts containers on this runner; empty if there is none. */
  readonly engine: string;
}

export type HostsQuery = Extract<RunnerQuery, { ask: 'hosts' }>;

/** What the runner must know of an app. Each app has a folder next to this file and an entry in the table. */
export interface App<Job extends CommonJob = CommonJob> {
  /** Name of the program, as error messages show it. */
  readonly program: string;
  /** The Python package that has the program; absent if there is none. */
  readonly pythonPackage?: string;
  /** The log's name for the execution of the program, such as "Playbook run". */
  readonly runTitle: string;
  /** What the app keeps between runs. */
  readonly cache?: Cache;

  /** The version of the program; undefined if it is not installed. */
  version(): Promise<string | undefined>;

  /** Absolute path of a Python interpreter that starts quickly; undefined if the app knows none. */
  python?(): string | undefined;

  /** How its program is started by a warm process; undefined if it is not installed or cannot be started that way. */
  warmStart?(): WarmStart | undefined;

  /** Values of a job that must be masked, in addition to those that every job has. */
  secretsOf(job: Job): string[];

  /** A job without its secrets, to be kept until the output of the run is sent. */
  withoutSecrets(job: Job): Job;

  /**
   * Checks a job before its code is fetched.
   * @throws PreparationError
   */
  check(run: Preparation<Job>): void;

  /**
   * Writes what the program needs into the workspace.
   * @returns the step that makes the command, after all files were given to the run user
   * @throws PreparationError
   */
  prepare(run: Preparation<Job>, workspace: OwnedWorkspace): Promise<CommandStep>;

  /** The last line of the log for a program that ended with a signal or a code other than 0. Must be pure. */
  exitLine(exit: ProgramExit): string;

  /** Why such a run failed. The texts may contain secrets. */
  exitReason(exit: ProgramExit, run: EndedRun<Job>): EndReason;

  /**
   * Lines for the log of a run that failed, with advice for the user. Must return the same lines each time.
   * @param hostKeyFile path of the file in which the host keys of the project are kept
   */
  hints?(exit: ProgramExit, output: string, hostKeyFile: string): Promise<string[]>;

  /** A job that only prints the hosts of its run, and the function that reads them from the output. */
  listRunHosts?(job: Job): { readonly job: Job; readonly read: (output: string) => string[] };

  /**
   * Lists the hosts of an inventory.
   * @throws PreparationError
   */
  listHosts?(
    query: HostsQuery,
    context: RunnerContext,
    workspace: OwnedWorkspace,
    options: GitOptions,
  ): Promise<InventoryHosts>;
}

/** What an app gets when the runner starts. */
export interface AppSetup {
  /** The data folder of the runner. */
  readonly data: string;
  /** The environment of every child process. */
  readonly env: Record<string, string>;
}

export type AppFactory<Job extends CommonJob> = (setup: AppSetup) => App<Job>;
