import type { z } from 'zod';
import type { PromptName } from '../entities/run-options.ts';
import type { EndReason } from '../messages/end-reasons.ts';

/** What the tasks of an app have. Server, runner and page ask for a feature, never for the name of an app. */
export interface AppFeatures {
  /** Tasks need an inventory. Without this feature a template has none. */
  readonly inventory: boolean;
  /** A task can be limited to some hosts. */
  readonly limit: boolean;
  /** A task can show what it would change without changing it (`dry_run`). */
  readonly checkMode: boolean;
  /** A task can show what it changes in files. */
  readonly diff: boolean;
  /** A template can have a vault password. */
  readonly vault: boolean;
  /** Templates and tasks can have command-line arguments. */
  readonly arguments: boolean;
  /** Tasks report a result for each host and step. */
  readonly hostResults: boolean;
  /** A task can compute a plan that a user confirms before it is applied. */
  readonly plan: boolean;
}

/** What arguments can set of a run: an option that templates can fix, or variables of the playbook. */
export type ArgumentOption = PromptName | 'variables';

/** An entry of the table of apps. */
export interface AppDefinition {
  /** Name of the app as users read it. */
  readonly title: string;
  readonly features: AppFeatures;
  /** What a job of this app has in addition to what every job has. */
  readonly job: z.ZodRawShape;
  /** Returns the first argument that only users who can edit templates may give; undefined if there is none. */
  readonly argumentForEditors: (args: readonly string[]) => string | undefined;
  /** What arguments set of a run, so that a template or a grant can refuse them. */
  readonly optionsSetBy: (args: readonly string[]) => ReadonlySet<ArgumentOption>;
  /** Whether a task ended because hosts failed, in which case its results show the cause better than the end reason does. */
  readonly endedByHosts: (reason: EndReason) => boolean;
}
