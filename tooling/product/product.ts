import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { freePort } from '../free-port.mjs';
import { PRODUCT_FLAGS } from '../node24.mjs';
import { ApiClient } from './api-client.ts';

export { freePort } from '../free-port.mjs';

/** The folder of this version. */
const ROOT = join(import.meta.dirname, '..', '..');
const ADMIN_PASSWORD = 'right horse';

export const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    // A zombie accepts signals too, until its parent reads its exit code.
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
};

/** Sends a signal; false when the process has ended meanwhile. */
export const signalIfThere = (pid: number, name: NodeJS.Signals): boolean => {
  try {
    return process.kill(pid, name);
  } catch {
    return false;
  }
};

/** Polls until a condition holds. For conditions without an event, such as the end of another program's process. */
export const until = async <T>(
  what: string,
  check: () => Promise<T | undefined> | T | undefined,
  timeoutMs = 60_000,
): Promise<T> => {
  const end = performance.now() + timeoutMs;
  for (;;) {
    const found = await check();
    if (found !== undefined && found !== false) return found;
    if (performance.now() > end) throw new Error(`Waited ${timeoutMs} ms for: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
};

/** The built product as a user starts it, with server and local runner, in a data folder of its own. */
export class Product {
  readonly folder = mkdtempSync(join(tmpdir(), 'signalbox-product-'));
  #settings: Readonly<Record<string, string>>;
  readonly #port: number;
  readonly printed: string[] = [];
  #server: ChildProcess | undefined;
  #root = ROOT;

  private constructor(port: number, settings: Readonly<Record<string, string>>) {
    this.#port = port;
    this.#settings = settings;
  }

  /**
   * @param prepare prepares the data folder before the server starts
   * @param root the folder of the version to start
   */
  static async start(
    settings: Readonly<Record<string, string>> = {},
    prepare: (folder: string) => void = () => undefined,
    root = ROOT,
  ): Promise<Product> {
    const product = new Product(await freePort(), settings);
    product.use(root);
    prepare(product.folder);
    await product.startServer();
    return product;
  }

  get address(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  get serverPid(): number {
    return this.#server?.pid ?? 0;
  }

  /** The local runner's process; undefined while there is none. */
  get runnerPid(): number | undefined {
    try {
      const pid = Number.parseInt(
        readFileSync(join(this.folder, 'runner', 'lock'), 'utf8').match(/\d+/)?.[0] ?? '',
        10,
      );
      return Number.isInteger(pid) && isAlive(pid) ? pid : undefined;
    } catch {
      return undefined;
    }
  }

  /** Starts the version in another folder from now on. */
  use(root: string): void {
    this.#root = root;
  }

  /**
   * Resolves when the server reports that it is ready.
   * @param more further settings, for values that depend on the address
   */
  async startServer(more: Readonly<Record<string, string>> = {}): Promise<void> {
    this.#settings = { ...this.#settings, ...more };
    // If the tests are killed, the server ends too. `setpriv` keeps the pid.
    const command = join(this.#root, 'bin', 'signalbox.mjs');
    const server = spawn('setpriv', ['--pdeathsig', 'TERM', process.execPath, ...PRODUCT_FLAGS, command, 'server'], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        PATH: process.env.PATH,
        HOME: process.env.HOME,
        LANG: 'C.UTF-8',
        SIGNALBOX_DATA: this.folder,
        SIGNALBOX_PORT: String(this.#port),
        SIGNALBOX_ADMIN_PASSWORD: ADMIN_PASSWORD,
        SIGNALBOX_LOCAL_REPOSITORY_ROOTS: tmpdir(),
        ...this.#settings,
      },
    });
    this.#server = server;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    for (const stream of [server.stdout, server.stderr]) {
      createInterface({ input: stream }).on('line', (line) => {
        this.printed.push(line);
        if (line.startsWith('Signalbox is ready')) resolve();
      });
    }
    server.once('exit', (code) => reject(new Error(`The server ended with ${code}:\n${this.printed.join('\n')}`)));
    await promise;
  }

  async client(send: typeof fetch = fetch): Promise<ApiClient> {
    const client = new ApiClient(this.address, send);
    await client.signIn('admin', this.adminPassword);
    return client;
  }

  get adminPassword(): string {
    return this.#settings.SIGNALBOX_ADMIN_PASSWORD ?? ADMIN_PASSWORD;
  }

  /** Ends the server like a power cut, without a chance to clean up. */
  async killServer(): Promise<void> {
    const server = this.#server;
    if (!server || server.exitCode !== null || server.signalCode !== null) return;
    const ended = once(server, 'exit');
    server.kill('SIGKILL');
    await ended;
  }

  async killRunner(): Promise<void> {
    const pid = await until('a local runner', () => this.runnerPid);
    signalIfThere(pid, 'SIGKILL');
    await until('the end of the runner', () => (isAlive(pid) ? undefined : true));
  }

  async runnerReady(client: ApiClient): Promise<void> {
    await until('a connected runner', async () => ((await client.call('systemInfo')).runners > 0 ? true : undefined));
  }

  async stopServer(): Promise<number | null> {
    const server = this.#server;
    if (!server || server.exitCode !== null || server.signalCode !== null) return server?.exitCode ?? null;
    const ended = once(server, 'exit');
    server.kill('SIGTERM');
    const [code] = (await ended) as [number | null];
    return code;
  }

  /** Ends server and runner and removes everything. */
  async dispose(): Promise<void> {
    await this.stopServer();
    const pid = this.runnerPid;
    if (pid !== undefined) {
      signalIfThere(pid, 'SIGKILL');
      await until('the end of the runner', () => (isAlive(pid) ? undefined : true));
    }
    // The runner may still be writing.
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  }
}
