import { randomUUID } from 'node:crypto';
import type { InstalledApp, ProvidedEnvironment } from '@signalbox/contract';
import { HEARTBEAT_MS } from '@signalbox/contract/link';
import type { Clock } from '../../clock.ts';
import type { Database } from '../../database/database.ts';
import { isDrainRequested } from '../../runner-drain.ts';
import { ephemeralExpiry } from '../leases/ephemeral-runners.ts';
import { hasTasks } from '../leases/tasks-of-runner.ts';

/** How long the admitted process has to answer a challenge: two heartbeats and a margin. */
const ANSWER_MS = 2.5 * HEARTBEAT_MS;
const POLL_MS = 250;

/** What a runner reports of itself, which is kept while it is not connected. */
interface Reported {
  readonly version: string;
  readonly apps: readonly InstalledApp[];
  readonly environments: readonly ProvidedEnvironment[];
  readonly slots: number;
  readonly runAs: string | null;
}

/** A runner process that asks to be admitted. */
export interface RunnerProcess {
  readonly runnerId: number;
  /** Identity of the process; undefined for a runner of an older version. */
  readonly process: string | undefined;
  /** Earlier processes of the same data folder. */
  readonly predecessors: readonly string[];
  readonly reported: Reported;
}

/** An admitted process. */
export interface Admitted {
  /** Identity of its link in the row of the runner; undefined when a full disk prevented storing it. */
  readonly connection: string | undefined;
}

interface Holder {
  readonly process: string | null;
  readonly connection: string | null;
}

export interface AdmissionDeps {
  readonly database: Database;
  readonly clock: Clock;
}

/**
 * Admits one process of a runner at a time. A process with a copied token must not end the running tasks of the runner,
 * nor receive the secrets of new tasks. The row of the runner names the process that was admitted last, the holder. A
 * newcomer stores a challenge in this row, and the server with the link to the holder clears the challenge with each
 * heartbeat of the holder. This also works when both processes are linked to different servers.
 */
export class RunnerAdmission {
  readonly #deps: AdmissionDeps;

  constructor(deps: AdmissionDeps) {
    this.#deps = deps;
  }

  /**
   * Admits a process unless another process with this token answers a challenge, or may still be executing tasks that
   * the newcomer does not know.
   * @returns undefined when the process was refused
   */
  async admit(newcomer: RunnerProcess): Promise<Admitted | undefined> {
    const holder = await this.#holder(newcomer.runnerId);
    if (!holder) return undefined;
    const isSame = holder.process === null || holder.process === newcomer.process;
    if (!isSame && holder.connection !== null && (await this.#isAnswered(newcomer, holder.process))) {
      await this.#noteDuplicate(newcomer.runnerId);
      return undefined;
    }
    const isKnown = isSame || newcomer.predecessors.includes(holder.process ?? '');
    if (!isKnown && (await hasTasks(this.#deps.database.read, newcomer.runnerId))) {
      await this.#noteDuplicate(newcomer.runnerId);
      return undefined;
    }
    try {
      return await this.#take(newcomer, holder.process);
    } catch (error) {
      // A full disk must not lock out a process that was admitted before, because its playbooks are still running.
      if (!isSame || !this.#deps.database.capabilities.isFull(error)) throw error;
      return { connection: holder.connection ?? undefined };
    }
  }

  /** Called when a link closes, so that the next process does not wait for an answer of this one. */
  async left(runnerId: number, connection: string): Promise<void> {
    const last_contact = this.#deps.clock.now().toISOString();
    await this.#runner(runnerId).set({ connection: null, last_contact }).where('connection', '=', connection).execute();
  }

  /** Stores that a process with this link has just sent something, and what it can run, as JSON. */
  async contact(
    runnerId: number,
    connection: string,
    abilities: { readonly apps: string; readonly environments: string },
  ): Promise<void> {
    const last_contact = this.#deps.clock.now().toISOString();
    await this.#runner(runnerId)
      .set({ last_contact, ...abilities })
      .where('connection', '=', connection)
      .execute();
  }

  /**
   * Called with each heartbeat: answers a challenge.
   * @returns undefined when another process or link has been admitted meanwhile
   */
  async held(runnerId: number, connection: string): Promise<{ readonly isDrainRequested: boolean } | undefined> {
    const row = await this.#deps.database.read
      .selectFrom('runner')
      .select(['connection', 'challenger', 'process', 'drain_process'])
      .where('id', '=', runnerId)
      .executeTakeFirst();
    if (row?.connection !== connection) return undefined;
    const held = { isDrainRequested: isDrainRequested(row) };
    if (row.challenger === null) return held;
    const answered = await this.#runner(runnerId)
      .set({ challenger: null })
      .where('connection', '=', connection)
      .returning('id')
      .executeTakeFirst();
    return answered && held;
  }

  #runner(id: number) {
    return this.#deps.database.autocommit.updateTable('runner').where('id', '=', id);
  }

  #holder(id: number): Promise<(Holder & { readonly challenger: string | null }) | undefined> {
    return this.#deps.database.read
      .selectFrom('runner')
      .select(['process', 'connection', 'challenger'])
      .where('id', '=', id)
      .executeTakeFirst();
  }

  /** Challenges the holder. True when it answers within `ANSWER_MS`. */
  async #isAnswered({ runnerId }: RunnerProcess, process: string | null): Promise<boolean> {
    const { clock } = this.#deps;
    const challenge = randomUUID();
    await this.#runner(runnerId).set({ challenger: challenge }).where('process', '=', process).execute();
    for (const until = clock.monotonic() + ANSWER_MS; clock.monotonic() < until; ) {
      await new Promise<void>((resolve) => clock.after(POLL_MS, resolve));
      const holder = await this.#holder(runnerId);
      // The link of the holder has closed, or the runner was deleted.
      if (!holder || holder.connection === null) return false;
      // Another value is that of another newcomer, which is no information about the holder.
      if (holder.challenger === null) return true;
    }
    return false;
  }

  async #noteDuplicate(runnerId: number): Promise<void> {
    await this.#runner(runnerId).set({ duplicate_seen: this.#deps.clock.now().toISOString() }).execute();
  }

  async #take({ runnerId, process, reported }: RunnerProcess, before: string | null): Promise<Admitted | undefined> {
    const connection = randomUUID();
    const now = this.#deps.clock.now();
    const taken = await this.#runner(runnerId)
      .set((eb) => ({
        ...{ process: process ?? null, connection, challenger: null },
        ...{ version: reported.version, apps: JSON.stringify(reported.apps), slots: reported.slots },
        environments: JSON.stringify(reported.environments),
        ...{ run_as: reported.runAs, last_contact: now.toISOString() },
        // Another server must not delete it before this one notes the contact.
        expires: eb.case().when('ephemeral', '=', 1).then(ephemeralExpiry(now)).else(eb.ref('expires')).end(),
      }))
      // Of two simultaneous newcomers only one is admitted.
      .where('process', before === null ? 'is' : '=', before)
      .returning('id')
      .executeTakeFirst();
    return taken && { connection };
  }
}

/** Clears all links at the start of a server that is alone on its database, because no runner has a link then. */
export const clearConnections = async ({ autocommit }: Database): Promise<void> => {
  await autocommit.updateTable('runner').set({ connection: null, challenger: null }).execute();
};
