import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, closeSync, existsSync, mkdirSync, openSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Database } from '../../database/database.ts';
import { writeWholeText } from '../../files/whole-text.ts';
import { hashToken, newToken } from '../../secrets/token.ts';
import { registerLocalRunner } from './local-runner.store.ts';

const COMMAND = fileURLToPath(new URL('../../../../bin/signalbox.mjs', import.meta.url));
/** Exit code of a runner when another runner holds its folder. */
const ALREADY_RUNNING = 3;
const FIRST_RETRY_MS = 250;
const LAST_RETRY_MS = 5_000;

export interface LocalRunnerDeps {
  readonly database: Database;
  readonly folder: string;
  readonly socketPath: string;
  readonly slots: number;
  /** The operating system user that runs tasks. Empty: the user of the runner. */
  readonly runAs: string;
  readonly outputLimit: number;
  readonly cache: { readonly maxDays: number; readonly maxMegabytes: number };
  readonly repositoryRoots: readonly string[];
  readonly hostKeys: 'accept-new' | 'strict';
  readonly warmStart: boolean;
  readonly environment: Readonly<Record<string, string>>;
  readonly isConnected: (runnerId: number) => boolean;
  readonly now: () => Date;
  readonly log: { warn(input: object, text: string): void };
}

/**
 * Keeps one runner running on this machine. It is a process in a session of its own, so it outlives the server, and
 * the next server finds it again. A runner that another server started in this folder connects by itself and is left
 * alone.
 */
export class LocalRunner {
  readonly #deps: LocalRunnerDeps;
  #runnerId: number | undefined;
  #retry: NodeJS.Timeout | undefined;
  #delay = FIRST_RETRY_MS;
  #child: ChildProcess | undefined;
  #stopped = false;

  constructor(deps: LocalRunnerDeps) {
    this.#deps = deps;
  }

  /** Registers the runner by its token and starts it. Retries until it succeeds. */
  async start(): Promise<void> {
    this.#runnerId = await this.#register();
    this.#spawn();
  }

  /** Called when the link of the runner closes. Starts another runner if it does not reconnect. */
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

  /** Digest of the settings that a runner of this server has. A runner with another digest has outdated settings. */
  get settings(): string {
    return createHash('sha256')
      .update(JSON.stringify(Object.entries(this.#environment).toSorted()))
      .digest('hex');
  }

  get #environment(): Record<string, string> {
    const { folder, socketPath, slots, runAs, outputLimit, cache, repositoryRoots, hostKeys, warmStart, environment } =
      this.#deps;
    return {
      ...environment,
      SIGNALBOX_SERVER: `unix:${socketPath}`,
      SIGNALBOX_RUNNER_TOKEN_FILE: this.#tokenFile,
      SIGNALBOX_RUNNER_DATA: folder,
      SIGNALBOX_RUNNER_SLOTS: String(slots),
      SIGNALBOX_CACHE_MAX_DAYS: String(cache.maxDays),
      SIGNALBOX_CACHE_MAX_MB: String(cache.maxMegabytes),
      SIGNALBOX_RUNNER_LOCAL: '1',
      SIGNALBOX_RUN_AS: runAs,
      SIGNALBOX_OUTPUT_LIMIT: String(outputLimit),
      SIGNALBOX_LOCAL_REPOSITORY_ROOTS: repositoryRoots.join(':'),
      SIGNALBOX_HOST_KEYS: hostKeys,
      SIGNALBOX_WARM_START: warmStart ? '1' : '0',
    };
  }

  get #tokenFile(): string {
    return join(this.#deps.folder, 'token');
  }

  /** Reads the stored token. A runner that is still running uses the token of the previous start. */
  #token(): string {
    const known = existsSync(this.#tokenFile) ? readFileSync(this.#tokenFile, 'utf8').trim() : '';
    // An older server may have left an empty file on a full disk. An empty token would admit no runner.
    if (known !== '') return known;
    const token = newToken();
    writeWholeText(this.#tokenFile, `${token}\n`, renameSync);
    return token;
  }

  get #isConnected(): boolean {
    return this.#deps.isConnected(this.#runnerId ?? 0);
  }

  async #restart(): Promise<void> {
    if (this.#stopped || this.#isConnected) return;
    // An admin may have deleted the row. Registering again lets a process that is still running connect.
    this.#runnerId = await this.#register();
    if (this.#stopped || this.#child || this.#isConnected) return;
    this.#spawn();
  }

  #failed(error: unknown): void {
    if (this.#stopped) return;
    this.#deps.log.warn({ err: error }, 'the local runner could not be started; it will be retried');
    this.check();
  }

  async #register(): Promise<number> {
    const { database, folder, slots, now } = this.#deps;
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    // The other user's workspace is inside this folder.
    chmodSync(folder, this.#deps.runAs === '' ? 0o700 : 0o711);
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
    // A process that could not be started has no exit event: there is an error event, and in most cases a close
    // event.
    child.on('error', (error) => {
      this.#child = undefined;
      this.#failed(error);
    });
    child.on('exit', (code) => {
      this.#child = undefined;
      if (code !== 0 && code !== ALREADY_RUNNING)
        this.#deps.log.warn({ code }, 'the local runner ended; it will be restarted');
      this.check();
    });
  }

  #spawnChild(): ChildProcess {
    const output = openSync(join(this.#deps.folder, 'runner.log'), 'a', 0o600);
    try {
      return spawn(process.execPath, [...process.execArgv, COMMAND, 'runner'], {
        detached: true,
        stdio: ['ignore', output, output],
        env: { ...this.#environment, SIGNALBOX_RUNNER_SETTINGS: this.settings },
      });
    } finally {
      closeSync(output);
    }
  }
}
