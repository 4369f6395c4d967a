import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { findPostgres } from '../../system-packages.mjs';
import type { Dice } from '../crash/plan.ts';
import type { Installation } from './installation.ts';

export type Disturbance = 'kill server' | 'stop server' | 'kill runner' | 'restart database' | 'cut bus';

const CUT_BUS = `select count(pg_terminate_backend(pid)) from pg_stat_activity
  where application_name = 'signalbox notices'`;

/** When the database, or a server with this number, was away: in milliseconds since 1970. */
export interface Outage {
  readonly server: number | undefined;
  readonly from: number;
  readonly to: number;
}

/** Restarts parts of an installation, one at a time, and counts how often. */
export class Disturbances {
  readonly #installation: Installation;
  readonly #dice: Dice;
  readonly #print: (line: string) => void;
  readonly #began = performance.now();
  readonly done = new Map<Disturbance, number>();
  readonly outages: Outage[] = [];

  constructor(installation: Installation, dice: Dice, print: (line: string) => void) {
    this.#installation = installation;
    this.#dice = dice;
    this.#print = print;
  }

  async #do(kind: Disturbance, what: string, work: () => Promise<void>): Promise<void> {
    const at = new Date().toISOString();
    this.#print(`${at} +${Math.round((performance.now() - this.#began) / 1000)} s: ${kind} ${what}`);
    await work();
    this.done.set(kind, (this.done.get(kind) ?? 0) + 1);
  }

  /** Kills or stops a server or a runner, and starts it again. */
  async random(): Promise<void> {
    const { servers, runners } = this.#installation;
    const kind = this.#dice.pick<Disturbance>({ 'kill server': 3, 'stop server': 2, 'kill runner': 5 });
    const pause = this.#dice.below(3000);
    const number = this.#dice.below(kind === 'kill runner' ? runners.length : servers.length);
    await this.#do(kind, `${number} for ${pause} ms`, async () => {
      const from = Date.now();
      if (kind === 'kill runner') await runners[number]?.kill();
      else if (kind === 'kill server') await servers[number]?.killServer();
      else await servers[number]?.stopServer();
      await delay(pause);
      if (kind === 'kill runner') this.#installation.startRunner(number);
      else {
        await servers[number]?.startServer();
        this.outages.push({ server: number, from, to: Date.now() });
      }
    });
  }

  async restartDatabase(): Promise<void> {
    const { postgres } = this.#installation;
    const pause = 500 + this.#dice.below(2500);
    await this.#do('restart database', `for ${pause} ms`, async () => {
      const from = Date.now();
      await postgres.end();
      await delay(pause);
      await postgres.again();
      this.outages.push({ server: undefined, from, to: Date.now() });
    });
  }

  async cutBus(): Promise<void> {
    const psql = join(findPostgres() ?? '', 'psql');
    const { url } = this.#installation.postgres;
    const args = ['--quiet', '--no-psqlrc', '--tuples-only', '--no-align', '--command', CUT_BUS, url];
    const cut = execFileSync(psql, args, { encoding: 'utf8' }).trim();
    await this.#do('cut bus', `of ${cut} servers`, () => Promise.resolve());
  }
}
