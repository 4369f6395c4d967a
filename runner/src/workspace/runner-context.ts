import type { GitContext } from '../git/checkout.ts';
import type { WorkspaceOptions } from './workspace.ts';

/** What preparing a run or answering a query needs of the runner. The same for all of them. */
export interface RunnerContext extends GitContext {
  workspaces: WorkspaceOptions;
  /** The environment of every child process. */
  base: Record<string, string>;
  /** Path of the configuration that git uses instead of the user's own. */
  gitConfig: string;
  /** Maximum bytes of the log of one run. */
  outputLimit: number;
}
