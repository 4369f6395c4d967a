import type { ProcessUser } from './user.ts';

export interface SupervisorCommand {
  /** The program's absolute path, then its arguments. */
  argv: string[];
  cwd: string;
  env: Record<string, string>;
  /** Maximum bytes of the log. Further output is read from the command and discarded. */
  output_cap: number;
  /** The user as whom the program is executed; null for the user of the supervisor itself. */
  user: Pick<ProcessUser, 'name' | 'uid' | 'gid'> | null;
  /** Seconds after which everything of the run is stopped; 0 means never. */
  time_limit: number;
  /** The container that the program starts; undefined if it starts none. */
  container?: { readonly engine: readonly string[]; readonly name: string } | undefined;
}

/** Exit code if the disk has no space for what must be written before the start. */
export const FULL_DISK_CODE = 4;

/** A supervisor that waits for its command. */
export interface IdleSupervisor {
  /** Undefined if there is no process, or none so far. */
  readonly pid: number | undefined;
  /** Whether the process exists or is about to. */
  isRunning(): boolean;
  /** Sends the command, which the supervisor starts at most once. */
  start(command: SupervisorCommand): void;
  /** Ends the supervisor without a command. */
  release(): void;
  /** Sends a signal, which ends a supervisor without a command. */
  signal(signal: NodeJS.Signals): void;
  /** Resolves when the process has ended: with true if the disk had no space to start anything. */
  ended: Promise<boolean>;
}
