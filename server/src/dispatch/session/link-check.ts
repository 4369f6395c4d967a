import type { InstalledApp } from '@signalbox/contract';
import type { Clock } from '../../clock.ts';
import type { RunnerAdmission } from './runner-admission.ts';

/** Time after which a new last contact of a connected runner is stored, in milliseconds. */
export const CONTACT_MS = 5 * 60_000;

interface Deps {
  readonly runnerId: number;
  readonly clock: Clock;
  readonly admission: RunnerAdmission;
}

/**
 * Checks the link of an admitted process with each heartbeat, and stores the last contact and the apps of the runner: seldom,
 * so that an idle runner hardly writes.
 */
export class LinkCheck {
  readonly #deps: Deps;
  /** When it was last stored, on the monotonic clock. The admission stores it first. */
  #stored: number;
  #apps = '';

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#stored = deps.clock.monotonic();
  }

  /**
   * Called with each heartbeat. A process without a link identity was admitted while the disk was full.
   * @returns `moved` when another process or link was admitted meanwhile, `drain` when the process must end
   */
  async check(connection: string | undefined, apps: readonly InstalledApp[]): Promise<'held' | 'moved' | 'drain'> {
    if (connection === undefined) return 'held';
    const held = await this.#deps.admission.held(this.#deps.runnerId, connection);
    if (!held) return 'moved';
    await this.#store(connection, apps);
    return held.isDrainRequested ? 'drain' : 'held';
  }

  async #store(connection: string, apps: readonly InstalledApp[]): Promise<void> {
    const { admission, clock, runnerId } = this.#deps;
    const now = clock.monotonic();
    const reported = JSON.stringify(apps);
    const isChanged = this.#apps !== '' && this.#apps !== reported;
    this.#apps = reported;
    if (!isChanged && now - this.#stored < CONTACT_MS) return;
    this.#stored = now;
    // A full disk must not close the link.
    await admission.contact(runnerId, connection, reported).catch(() => undefined);
  }
}
