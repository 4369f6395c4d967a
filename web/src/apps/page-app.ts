import type { AppFeatures, Template } from '@signalbox/contract';

/** The options of a new task as its form has them. */
export interface LaunchedOptions {
  readonly limit: string;
  readonly tags: readonly string[];
  readonly skip_tags: readonly string[];
  readonly verbosity: number;
  /** Empty for the setting of the program. */
  readonly forks: string;
  readonly dry_run: boolean;
  readonly diff: boolean;
  /** JSON text; may be incomplete while the user types. */
  readonly arguments: string;
}

/** What the page shows of an app. Each app has a folder next to this file and an entry in the table. */
export interface PageApp {
  /** Name of the app as users read it. */
  readonly title: string;
  /** Which fields, options and tabs its templates and tasks have. */
  readonly features: AppFeatures;
  /** The file of the repository that a template names. The texts are keys of the catalogue. */
  readonly file: {
    readonly label: string;
    readonly column: string;
    readonly help: string;
    readonly required: string;
    readonly example: string;
    /** The files of a repository that a template can name. */
    readonly suggestions: (paths: readonly string[]) => string[];
  };
  /** The arguments of the command line of a new task, for reading only. */
  readonly command: (template: Pick<Template, 'playbook' | 'arguments'>, options: LaunchedOptions) => string[];
  /** An example of arguments, as JSON. */
  readonly argumentsExample: string;
  /** What a line of output contains in which the program reports an error. */
  readonly errorPrefix: string;
}
