import { randomUUID } from 'node:crypto';
import { HEARTBEAT_MS } from '@signalbox/contract/link';
import type { Clock } from '../clock.ts';
import type { Database } from '../database/database.ts';
import { holdsTasks } from './held-tasks.ts';

/** How long the process that was let in before has to show that it is alive: two heartbeats and some time. */
const ANSWER_MS = 2.5 * HEARTBEAT_MS;
const POLL_MS = 250;

/** The process of a runner that asks to be let in. */
export interface RunnerProcess {
  readonly runnerId: number;
  /** Different for each process; undefined for a runner of a version that does not tell. */
  readonly process: string | undefined;
  /** Earlier processes of the same data folder. */
  readonly predecessors: readonly string[];
}

/** A process that was let in. */
export interface Admitted {
  /** Names its link in the row of the runner; undefined where a full disk kept it from being written down. */
  readonly connection: string | undefined;
}

interface Holder {
  readonly process: string | null;
  readonly connection: string | null;
}

export interface AdmissionNeeds {
  readonly database: Database;
  readonly clock: Clock;
}

/**
 * Lets one process of a runner in at a time. A token that was copied must not end the running tasks of its runner, nor
 * receive the secrets of the next ones. The row of the runner names the process that was let in last; a newcomer writes
 * itself next to it as the challenger, and the server that has the link to the holder clears that with each heartbeat of
 * the holder. So it works the same for links to different servers.
 */
export class RunnerAdmission {
  readonly #needs: AdmissionNeeds;

  constructor(needs: AdmissionNeeds) {
    this.#needs = needs;
  }

  /**
   * @returns undefined when another process of this token is alive, or may still be executing tasks that the newcomer
   * does not know
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
    if (!isKnown && (await holdsTasks(this.#needs.database.read, newcomer.runnerId))) {
      await this.#noteDuplicate(newcomer.runnerId);
      return undefined;
    }
    try {
      return await this.#take(newcomer, holder.process);
    } catch (error) {
      // A full disk must not shut a runner out that was let in before: its playbooks go on.
      if (!isSame || !this.#needs.database.capabilities.isFull(error)) throw error;
      return { connection: holder.connection ?? undefined };
    }
  }

  /** The link is closed: the next process need not wait for an answer of this one. */
  async left(runnerId: number, connection: string): Promise<void> {
    await this.#runner(runnerId).set({ connection: null }).where('connection', '=', connection).execute();
  }

  /**
   * Called with each heartbeat: answers a challenger.
   * @returns false when another process or connection has been let in instead
   */
  async isHolder(runnerId: number, connection: string): Promise<boolean> {
    const row = await this.#needs.database.read
      .selectFrom('runner')
      .select(['connection', 'challenger'])
      .where('id', '=', runnerId)
      .executeTakeFirst();
    if (row?.connection !== connection) return false;
    if (row.challenger === null) return true;
    const answered = await this.#runner(runnerId)
      .set({ challenger: null })
      .where('connection', '=', connection)
      .returning('id')
      .executeTakeFirst();
    return answered !== undefined;
  }

  #runner(id: number) {
    return this.#needs.database.read.updateTable('runner').where('id', '=', id);
  }

  #holder(id: number): Promise<(Holder & { readonly challenger: string | null }) | undefined> {
    return this.#needs.database.read
      .selectFrom('runner')
      .select(['process', 'connection', 'challenger'])
      .where('id', '=', id)
      .executeTakeFirst();
  }

  /** Whether the holder shows, within the time that it has, that it is alive. */
  async #isAnswered({ runnerId }: RunnerProcess, process: string | null): Promise<boolean> {
    const { clock } = this.#needs;
    const challenge = randomUUID();
    await this.#runner(runnerId).set({ challenger: challenge }).where('process', '=', process).execute();
    for (const until = clock.monotonic() + ANSWER_MS; clock.monotonic() < until; ) {
      await new Promise<void>((resolve) => clock.after(POLL_MS, resolve));
      const holder = await this.#holder(runnerId);
      // It left, or its row was deleted.
      if (!holder || holder.connection === null) return false;
      // Another value is that of another newcomer, which tells nothing about the holder.
      if (holder.challenger === null) return true;
    }
    return false;
  }

  async #noteDuplicate(runnerId: number): Promise<void> {
    await this.#runner(runnerId).set({ duplicate_seen: this.#needs.clock.now().toISOString() }).execute();
  }

  async #take({ runnerId, process }: RunnerProcess, before: string | null): Promise<Admitted | undefined> {
    const connection = randomUUID();
    const taken = await this.#runner(runnerId)
      .set({ process: process ?? null, connection, challenger: null })
      // Of two newcomers at once, one is let in.
      .where('process', before === null ? 'is' : '=', before)
      .returning('id')
      .executeTakeFirst();
    return taken && { connection };
  }
}

/** At the start of a server that is alone on its database: no runner has a link. */
export const clearConnections = async ({ read }: Database): Promise<void> => {
  await read.updateTable('runner').set({ connection: null, challenger: null }).execute();
};
