import type { InstalledApp } from '@signalbox/contract';
import type { JobSpec } from '@signalbox/contract/link';
import { PeriodicCheck } from '../process/periodic-check.ts';
import type { WarmStart } from '../process/warm-child.ts';
import { commonSecretsOf, withoutCommonSecrets } from '../workspace/job-secrets.ts';
import type { App, AppSetup } from './app.ts';
import { APP_FACTORIES } from './table.ts';

/** The apps of a runner. */
export class Apps {
  readonly #apps: ReadonlyMap<string, App<JobSpec>>;
  #installed: readonly InstalledApp[] = [];
  readonly #checks = new PeriodicCheck(() => this.#detect());

  constructor(setup: AppSetup) {
    const made = Object.entries(APP_FACTORIES).map(([name, make]) => [name, make(setup)] as const);
    this.#apps = new Map<string, App<JobSpec>>(made);
  }

  get all(): readonly App<JobSpec>[] {
    return [...this.#apps.values()];
  }

  /** The app of a job. */
  of({ app }: JobSpec): App<JobSpec> {
    const found = this.#apps.get(app);
    if (found === undefined) throw new Error(`There is no app ${app}.`);
    return found;
  }

  /** Every value of a job that must not show in its log. */
  secretsOf(job: JobSpec): string[] {
    return [...commonSecretsOf(job), ...this.of(job).secretsOf(job)].filter((secret) => secret !== '');
  }

  withoutSecrets(job: JobSpec): JobSpec {
    return this.of(job).withoutSecrets(withoutCommonSecrets(job));
  }

  /** The Python interpreter that starts quickest. */
  python(): string {
    return this.all.map((app) => app.python?.()).find((path) => path !== undefined) ?? 'python3';
  }

  /** The program that a warm process starts. A runner has one such process. */
  warmStart(): WarmStart | undefined {
    return this.all.map((app) => app.warmStart?.()).find((start) => start !== undefined);
  }

  /** The apps whose programs are installed. None before the first call of `detect` has ended. */
  get installed(): readonly InstalledApp[] {
    return this.#installed;
  }

  /** Finds the installed apps now and then every minute until `stop`. */
  watch(): Promise<void> {
    return this.#checks.start();
  }

  stop(): void {
    this.#checks.stop();
  }

  async #detect(): Promise<void> {
    const found: InstalledApp[] = [];
    for (const [name, app] of this.#apps) {
      // An app whose version cannot be read is installed all the same.
      const version = await app.version().catch(() => '');
      if (version !== undefined) found.push({ name, version });
    }
    this.#installed = found;
  }
}
