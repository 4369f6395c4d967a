import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { PRODUCT_FLAGS } from '../node24.mjs';

const COMMAND = join(import.meta.dirname, '..', '..', 'bin', 'signalbox.mjs');

/** A runner that registers with the command line, as an administrator does it on another machine. */
export class RegisteredRunner {
  readonly #folder = mkdtempSync(join(tmpdir(), 'signalbox-registered-'));
  readonly #data = join(this.#folder, 'data');
  #process: ChildProcess | undefined;

  #spawn(args: readonly string[]): ChildProcess {
    return spawn(process.execPath, [...PRODUCT_FLAGS, COMMAND, 'runner', ...args], {
      stdio: ['pipe', 'ignore', 'ignore'],
      env: {
        ...{ PATH: process.env.PATH, HOME: process.env.HOME, LANG: 'C.UTF-8', HOSTNAME: hostname() },
        SIGNALBOX_RUNNER_DATA: this.#data,
        SIGNALBOX_LOCAL_REPOSITORY_ROOTS: tmpdir(),
      },
    });
  }

  /** Registers with a token on standard input. Returns the exit code. */
  async register(address: string, token: string): Promise<number | null> {
    const process = this.#spawn(['register', '--url', address, '--token-file', '-']);
    process.stdin?.on('error', () => undefined).end(`${token}\n`);
    const [code] = await once(process, 'exit');
    return typeof code === 'number' ? code : null;
  }

  get credential(): { readonly token: string } {
    return JSON.parse(readFileSync(join(this.#data, 'credential.json'), 'utf8'));
  }

  start(): void {
    this.#process = this.#spawn([]);
  }

  async kill(): Promise<void> {
    const runner = this.#process;
    if (!runner || runner.exitCode !== null || runner.signalCode !== null) return;
    const ended = once(runner, 'exit');
    runner.kill('SIGKILL');
    await ended;
  }

  /** Ends it and removes everything. */
  async dispose(): Promise<void> {
    await this.kill();
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  }
}
