import { existsSync } from 'node:fs';
import { callEngine, type Engine } from './engine.ts';
import { RUN_LABEL, RUNNER_LABEL } from './run-arguments.ts';

const CALL_MS = 30_000;

/** A container of this runner, and the marker of its run. */
interface Found {
  readonly id: string;
  readonly marker: string;
}

/** All containers of a runner, also those that have ended. */
const listContainers = async (engine: Engine, runner: string): Promise<Found[]> => {
  const args = ['ps', '--all', '--no-trunc', `--filter=label=${RUNNER_LABEL}=${runner}`];
  const format = `{{.ID}} ${engine.name === 'podman' ? `{{index .Labels "${RUN_LABEL}"}}` : `{{.Label "${RUN_LABEL}"}}`}`;
  const end = await callEngine(engine, [...args, '--format', format], { timeoutMs: CALL_MS });
  if (end.code !== 0) throw new Error(`${engine.name} ps failed: ${end.stderr.trim().slice(0, 500)}`);
  return end.stdout
    .split('\n')
    .filter((row) => row !== '')
    .map((row) => {
      const [id = '', marker = ''] = row.split(' ');
      return { id, marker };
    });
};

/** Kills and removes the containers of a runner whose marker is wanted. @returns how many there were */
export const removeContainers = async (
  engine: Engine,
  runner: string,
  isWanted: (marker: string) => boolean,
): Promise<number> => {
  const ids = (await listContainers(engine, runner)).filter(({ marker }) => isWanted(marker)).map(({ id }) => id);
  if (ids.length === 0) return 0;
  // Otherwise podman waits ten seconds for a process that ignores TERM. docker kills at once.
  const atOnce = engine.name === 'podman' ? ['--time', '0'] : [];
  const end = await callEngine(engine, ['rm', '--force', ...atOnce, '--volumes', ...ids], { timeoutMs: CALL_MS });
  if (end.code !== 0) throw new Error(`${engine.name} rm failed: ${end.stderr.trim().slice(0, 500)}`);
  return ids.length;
};

/** The containers of a runner that no process supervises any more. */
export class Containers {
  readonly #label: string;
  readonly #engine: () => Promise<Engine | undefined>;
  readonly #images: string;

  /** @param images the folder of what is known of images */
  constructor(label: string, engine: () => Promise<Engine | undefined>, images: string) {
    this.#label = label;
    this.#engine = engine;
    this.#images = images;
  }

  /** Kills and removes the containers of the run with this marker. */
  async removeOf(marker: string): Promise<void> {
    await this.#remove((found) => found === marker);
  }

  /** The same for every run that is not held. Runners that never started a container have none. */
  async removeOthers(isHeld: (marker: string) => boolean): Promise<void> {
    if (existsSync(this.#images)) await this.#remove((found) => !isHeld(found));
  }

  async #remove(isWanted: (marker: string) => boolean): Promise<number> {
    const engine = await this.#engine();
    return engine ? await removeContainers(engine, this.#label, isWanted) : 0;
  }
}
