import { type InstalledApp, ONLY_SYSTEM, type ProvidedEnvironment } from '@signalbox/contract';
import type { Clock } from '../../clock.ts';
import type { RunnerAdmission } from './runner-admission.ts';

/** Time after which a new last contact of a connected runner is stored, in milliseconds. */
export const CONTACT_MS = 5 * 60_000;

/** What a runner can run. */
interface Abilities {
  readonly apps: readonly InstalledApp[];
  readonly environments: readonly ProvidedEnvironment[];
}

const textOf = ({ apps, environments }: Abilities): string => JSON.stringify([apps, environments]);

interface Deps {
  readonly runnerId: number;
  readonly clock: Clock;
  readonly admission: RunnerAdmission;
}

/**
 * Checks the link of an admitted process with each heartbeat, and stores the last contact and what the runner can run: seldom,
 * so that an idle runner hardly writes.
 */
export class LinkCheck {
  readonly #deps: Deps;
  /** When it was last stored, on the monotonic clock. The admission stores it first. */
  #stored: number;
  /** What the runner can run: of an older version only programs of the system. */
  abilities: Abilities = { apps: [], environments: ONLY_SYSTEM };
  #known = '';

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#stored = deps.clock.monotonic();
  }

  /** Called when the process was admitted, which stored what it can run. */
  admitted(abilities: Abilities): void {
    this.abilities = abilities;
    this.#known = textOf(abilities);
  }

  /** Called with what a heartbeat names; what is missing has not changed. */
  reported({ apps, environments }: { readonly [K in keyof Abilities]?: Abilities[K] | undefined }): void {
    this.abilities = { apps: apps ?? this.abilities.apps, environments: environments ?? this.abilities.environments };
  }

  /**
   * Called with each heartbeat. A process without a link identity was admitted while the disk was full.
   * @returns `moved` when another process or link was admitted meanwhile, `drain` when the process must end
   */
  async check(connection: string | undefined): Promise<'held' | 'moved' | 'drain'> {
    if (connection === undefined) return 'held';
    const held = await this.#deps.admission.held(this.#deps.runnerId, connection);
    if (!held) return 'moved';
    await this.#store(connection);
    return held.isDrainRequested ? 'drain' : 'held';
  }

  async #store(connection: string): Promise<void> {
    const { admission, clock, runnerId } = this.#deps;
    const now = clock.monotonic();
    const { apps, environments } = this.abilities;
    const text = textOf(this.abilities);
    const isChanged = this.#known !== '' && this.#known !== text;
    this.#known = text;
    if (!isChanged && now - this.#stored < CONTACT_MS) return;
    this.#stored = now;
    // A full disk must not close the link.
    await admission
      .contact(runnerId, connection, {
        apps: JSON.stringify(apps),
        environments: JSON.stringify(environments),
      })
      .catch(() => undefined);
  }
}
