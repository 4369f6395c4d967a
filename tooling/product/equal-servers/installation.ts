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
export const RUNNERS = 10;
export const SLOTS = 2;
/** Each runner has one of these tags. */
export const TAGS = ['zone-0', 'zone-1', 'zone-2'] as const;

/** Three servers of one PostgreSQL database behind nginx, and ten runners that reach them through it. */
export class Installation {
  readonly postgres: OutagePostgres;
  readonly servers: readonly Product[];
  readonly balancer: Balancer;
  readonly recorder: AlertRecorder;
  readonly client: ApiClient;
  readonly runners: readonly RemoteRunner[] = Array.from({ length: RUNNERS }, () => new RemoteRunner());
  readonly #tokens: string[] = [];
  readonly #folder = mkdtempSync(join(tmpdir(), 'signalbox-equal-servers-'));
  /** The folder in which each run records its start. */
  readonly starts = join(this.#folder, 'starts');

  private constructor(parts: Pick<Installation, 'postgres' | 'servers' | 'balancer' | 'recorder'>, client: ApiClient) {
    ({ postgres: this.postgres, servers: this.servers, balancer: this.balancer, recorder: this.recorder } = parts);
    this.client = client;
    mkdirSync(this.starts);
  }

  static async open(): Promise<Installation> {
    const postgres = await OutagePostgres.start();
    const settings = {
      DATABASE_URL: postgres.url,
      SIGNALBOX_ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
      SIGNALBOX_RUNNER_SLOTS: '0',
      SIGNALBOX_ALERT_NETWORKS: 'loopback',
    };
    const servers: Product[] = [];
    for (let number = 0; number < SERVERS; number++) servers.push(await Product.start(settings));
    const balancer = await Balancer.start(servers.map(({ address }) => address));
    const parts = { postgres, servers, balancer, recorder: await AlertRecorder.start() };
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
    const isReady = async () => (await this.client.call('systemInfo')).runners === RUNNERS || undefined;
    await until('ten connected runners', isReady, 120_000);
  }

  startRunner(number: number): void {
    const settings = { SIGNALBOX_RUNNER_SLOTS: String(SLOTS) };
    this.runners[number]?.start(this.balancer.address, this.#tokens[number] ?? '', settings);
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

  async dispose(): Promise<void> {
    await Promise.all(this.runners.map((runner) => runner.dispose()));
    await this.balancer.stop();
    for (const server of this.servers) await server.dispose();
    this.recorder.stop();
    await this.postgres.stop();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
