import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, closeSync, existsSync, mkdirSync, openSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Database } from '../database/database.ts';
import { hashToken, newToken } from '../secrets/token.ts';
import { writeWholeText } from '../whole-text.ts';
import { registerLocalRunner } from './local-runner.store.ts';

const COMMAND = fileURLToPath(new URL('../../../bin/signalbox.mjs', import.meta.url));
/** What the runner exits with when another one holds its folder. */
const ALREADY_RUNNING = 3;
const FIRST_RETRY_MS = 250;
const LAST_RETRY_MS = 5_000;

export interface LocalRunnerNeeds {
  readonly database: Database;
  readonly folder: string;
  readonly socketPath: string;
  readonly slots: number;
  /** The user as whom tasks are executed; empty for the runner's own. */
  readonly runAs: string;
  readonly outputLimit: number;
  readonly cache: { readonly maxDays: number; readonly maxMegabytes: number };
  readonly repositoryRoots: readonly string[];
  readonly hostKeys: 'accept-new' | 'strict';
  readonly environment: Readonly<Record<string, string>>;
  readonly isConnected: (runnerId: number) => boolean;
  readonly now: () => Date;
  readonly log: { warn(facts: object, sentence: string): void };
}

/**
 * Keeps one runner on this machine, as a process of its own session: it outlives the server, and the next server finds it
 * again. A runner that another server of this folder started is left alone; it connects by itself.
 */
export class LocalRunner {
  readonly #needs: LocalRunnerNeeds;
  #runnerId: number | undefined;
  #retry: NodeJS.Timeout | undefined;
  #delay = FIRST_RETRY_MS;
  #child: ChildProcess | undefined;
  #stopped = false;

  constructor(needs: LocalRunnerNeeds) {
    this.#needs = needs;
  }

  /** Registers the runner by its token, then starts it, or tries to until it can. */
  async start(): Promise<void> {
    this.#runnerId = await this.#register();
    this.#spawn();
  }

  /** Called when the runner's link is gone: if it does not come back by itself, another one is started. */
  check(): void {
    if (this.#stopped || this.#retry) return;
    this.#retry = setTimeout(() => {
      this.#retry = undefined;
      void this.#restart().catch((error: unknown) => this.#failed(error));
    }, this.#delay);
    this.#delay = Math.min(LAST_RETRY_MS, this.#delay * 2);
  }

  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#retry);
  }

  connected(): void {
    this.#delay = FIRST_RETRY_MS;
  }

  get #tokenFile(): string {
    return join(this.#needs.folder, 'token');
  }

  /** A runner that is still there knows the token of the last start: it stays the same while its file is there. */
  #token(): string {
    const known = existsSync(this.#tokenFile) ? readFileSync(this.#tokenFile, 'utf8').trim() : '';
    // An empty one, as an older server may have left on a full disk, lets no runner in.
    if (known !== '') return known;
    const token = newToken();
    writeWholeText(this.#tokenFile, `${token}\n`, renameSync);
    return token;
  }

  get #isConnected(): boolean {
    return this.#needs.isConnected(this.#runnerId ?? 0);
  }

  async #restart(): Promise<void> {
    if (this.#stopped || this.#isConnected) return;
    // Somebody may have removed it meanwhile; a process that still runs is then let in again by itself.
    this.#runnerId = await this.#register();
    if (this.#stopped || this.#child || this.#isConnected) return;
    this.#spawn();
  }

  #failed(error: unknown): void {
    if (this.#stopped) return;
    this.#needs.log.warn({ err: error }, 'the local runner could not be started; it is tried again');
    this.check();
  }

  async #register(): Promise<number> {
    const { database, folder, slots, now } = this.#needs;
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    // Another user's place lies below it.
    chmodSync(folder, this.#needs.runAs === '' ? 0o700 : 0o711);
    return await registerLocalRunner(database, { tokenHash: hashToken(this.#token()), slots, now: now() });
  }

  #spawn(): void {
    let child: ChildProcess;
    try {
      child = this.#spawnChild();
    } catch (error) {
      this.#failed(error);
      return;
    }
    this.#child = child;
    child.unref();
    // What never began has no exit: there is an error, and mostly, but not for every reason, a close.
    child.on('error', (error) => {
      this.#child = undefined;
      this.#failed(error);
    });
    child.on('exit', (code) => {
      this.#child = undefined;
      if (code !== 0 && code !== ALREADY_RUNNING)
        this.#needs.log.warn({ code }, 'the local runner ended; it is started again');
      this.check();
    });
  }

  #spawnChild(): ChildProcess {
    const { folder, socketPath, slots, runAs, outputLimit, repositoryRoots, hostKeys, environment } = this.#needs;
    const output = openSync(join(folder, 'runner.log'), 'a', 0o600);
    try {
      return spawn(process.execPath, [...process.execArgv, COMMAND, 'runner'], {
        detached: true,
        stdio: ['ignore', output, output],
        env: {
          ...environment,
          SIGNALBOX_SERVER: `unix:${socketPath}`,
          SIGNALBOX_RUNNER_TOKEN_FILE: this.#tokenFile,
          SIGNALBOX_RUNNER_DATA: folder,
          SIGNALBOX_RUNNER_SLOTS: String(slots),
          SIGNALBOX_CACHE_MAX_DAYS: String(this.#needs.cache.maxDays),
          SIGNALBOX_CACHE_MAX_MB: String(this.#needs.cache.maxMegabytes),
          SIGNALBOX_RUNNER_LOCAL: '1',
          SIGNALBOX_RUN_AS: runAs,
          SIGNALBOX_OUTPUT_LIMIT: String(outputLimit),
          SIGNALBOX_LOCAL_REPOSITORY_ROOTS: repositoryRoots.join(':'),
          SIGNALBOX_HOST_KEYS: hostKeys,
        },
      });
    } finally {
      closeSync(output);
    }
  }
}
