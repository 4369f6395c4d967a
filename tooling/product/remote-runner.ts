import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PRODUCT_FLAGS } from '../node24.mjs';

/** The folder of this version. */
const ROOT = join(import.meta.dirname, '..', '..');

/** A runner as a person starts it on another machine: all that it shares with the server is an address and a token. */
export class RemoteRunner {
  readonly #folder = mkdtempSync(join(tmpdir(), 'signalbox-remote-'));
  #process: ChildProcess | undefined;
  #root = ROOT;

  /** Where it keeps its runs. */
  readonly data = join(this.#folder, 'data');

  /** Starts the version in another folder from now on. */
  use(root: string): void {
    this.#root = root;
  }

  /** @param more further variables of its environment */
  start(address: string, token: string, more: Readonly<Record<string, string>> = {}): void {
    const tokenFile = join(this.#folder, 'token');
    writeFileSync(tokenFile, token, { mode: 0o600 });
    // If the tests are killed, the runner ends too. `setpriv` keeps the pid.
    const command = [
      '--pdeathsig',
      'KILL',
      process.execPath,
      ...PRODUCT_FLAGS,
      join(this.#root, 'bin', 'signalbox.mjs'),
      'runner',
    ];
    this.#process = spawn('setpriv', command, {
      stdio: 'ignore',
      env: {
        PATH: process.env.PATH,
        HOME: process.env.HOME,
        LANG: 'C.UTF-8',
        SIGNALBOX_SERVER: address,
        SIGNALBOX_RUNNER_TOKEN_FILE: tokenFile,
        SIGNALBOX_RUNNER_DATA: this.data,
        SIGNALBOX_LOCAL_REPOSITORY_ROOTS: tmpdir(),
        ...more,
      },
    });
  }

  /** Ends it like a power cut. Its runs continue. */
  async kill(): Promise<void> {
    const runner = this.#process;
    if (!runner || runner.exitCode !== null || runner.signalCode !== null) return;
    const gone = once(runner, 'exit');
    runner.kill('SIGKILL');
    await gone;
  }

  /** Stops it in order: it finishes its tasks first. */
  async drain(): Promise<void> {
    const runner = this.#process;
    if (!runner || runner.exitCode !== null || runner.signalCode !== null) return;
    const gone = once(runner, 'exit');
    runner.kill('SIGTERM');
    await gone;
  }

  /** Ends it and removes everything. */
  async dispose(): Promise<void> {
    await this.kill();
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  }
}
