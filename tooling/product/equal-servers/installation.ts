import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ApiClient } from '../api-client.ts';
import { Balancer } from '../balancer.ts';
import { OutagePostgres } from '../database-outage.ts';
import { Product, until } from '../product.ts';
import { RemoteRunner } from '../remote-runner.ts';
import { AlertRecorder } from './alert-recorder.ts';

const SERVERS = 3;
const RUNNERS = 10;
export const SLOTS = 2;
/** Each runner has one of these tags. */
export const TAGS = ['zone-0', 'zone-1', 'zone-2'] as const;

type Parts = Pick<Installation, 'postgres' | 'servers' | 'balancer' | 'recorder' | 'runners'>;

interface Size {
  readonly servers?: number;
  readonly runners?: number;
  /** The folder of the version. Default: this one. */
  readonly root?: string;
}

/** Three servers of one PostgreSQL database behind nginx, and ten runners that reach them through it. */
export class Installation {
  readonly postgres: OutagePostgres;
  readonly servers: readonly Product[];
  readonly balancer: Balancer;
  readonly recorder: AlertRecorder;
  readonly client: ApiClient;
  readonly runners: readonly RemoteRunner[];
  readonly #tokens: string[] = [];
  readonly #folder = mkdtempSync(join(tmpdir(), 'signalbox-equal-servers-'));
  /** The folder in which each run records its start. */
  readonly starts = join(this.#folder, 'starts');
  /** The folder in which runs record the start and the end of each host, in one file for each host of a project. */
  readonly hostRuns = join(this.#folder, 'hosts');

  private constructor(parts: Parts, client: ApiClient) {
    ({ postgres: this.postgres, servers: this.servers, balancer: this.balancer } = parts);
    this.recorder = parts.recorder;
    this.runners = parts.runners;
    this.client = client;
    mkdirSync(this.starts);
    mkdirSync(this.hostRuns);
  }

  static async open({ servers: count = SERVERS, runners = RUNNERS, root }: Size = {}): Promise<Installation> {
    const postgres = await OutagePostgres.start();
    const settings = {
      DATABASE_URL: postgres.url,
      SIGNALBOX_ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
      SIGNALBOX_RUNNER_SLOTS: '0',
      SIGNALBOX_ALERT_NETWORKS: 'loopback',
    };
    const servers: Product[] = [];
    for (let number = 0; number < count; number++) servers.push(await Product.start(settings, undefined, root));
    const balancer = await Balancer.start(servers.map(({ address }) => address));
    const recorder = await AlertRecorder.start();
    const made = Array.from({ length: runners }, () => new RemoteRunner());
    for (const runner of made) if (root !== undefined) runner.use(root);
    const parts = { postgres, servers, balancer, recorder, runners: made };
    const client = new ApiClient(balancer.address);
    await client.signIn('admin', servers[0]?.adminPassword ?? '');
    const installation = new Installation(parts, client);
    await installation.#startRunners();
    return installation;
  }

  async #startRunners(): Promise<void> {
    for (const number of this.runners.keys()) {
      const tags = [TAGS[number % TAGS.length] ?? ''];
      const { token } = await this.client.call('createRunner', { body: { name: `runner-${number}`, tags } });
      this.#tokens.push(token);
      this.startRunner(number);
    }
    const isReady = async () => (await this.client.call('systemInfo')).runners === this.runners.length || undefined;
    await until('the connected runners', isReady, 180_000);
  }

  startRunner(number: number): void {
    const settings = { SIGNALBOX_RUNNER_SLOTS: String(SLOTS) };
    this.runners[number]?.start(this.balancer.address, this.#tokens[number] ?? '', settings);
  }

  /** Stops a runner after its tasks, and starts another version of it. */
  async upgradeRunner(number: number, root: string): Promise<void> {
    await this.runners[number]?.drain();
    this.runners[number]?.use(root);
    this.startRunner(number);
  }

  /** How many playbooks have recorded a start. */
  get started(): number {
    return readdirSync(this.starts).length;
  }

  /** How often the playbook of a task recorded its start. */
  startsOf(task: number): number {
    const file = join(this.starts, String(task));
    return existsSync(file) ? readFileSync(file, 'utf8').split('\n').length - 1 : 0;
  }

  /** The lines that runs have recorded of each host, by the name of its file. */
  recordsOfHosts(): ReadonlyMap<string, readonly string[]> {
    const files = readdirSync(this.hostRuns);
    return new Map(
      files.map((name) => [name, readFileSync(join(this.hostRuns, name), 'utf8').split('\n').slice(0, -1)]),
    );
  }

  async dispose(): Promise<void> {
    await Promise.all(this.runners.map((runner) => runner.dispose()));
    await this.balancer.stop();
    for (const server of this.servers) await server.dispose();
    this.recorder.stop();
    await this.postgres.stop();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
