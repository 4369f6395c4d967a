import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Nginx } from './nginx.ts';
import { freePort } from './product.ts';

const EXAMPLE = join(import.meta.dirname, '..', '..', 'deploy', 'nginx-servers.conf');

/** The example configuration without TLS, with these servers. */
const settingsOf = (port: number, servers: readonly string[]): string => {
  const upstreams = servers.map((server) => `server ${new URL(server).host} max_fails=1 fail_timeout=2s;`);
  const example = readFileSync(EXAMPLE, 'utf8')
    .replace(/( *server 10\.0\.0\.\d+:3000.*\n)+/, `${upstreams.join('\n')}\n`)
    .replace('listen 443 ssl', `listen 127.0.0.1:${port}`)
    .replace(/ *ssl_certificate.*\n/g, '');
  if (!upstreams.every((line) => example.includes(line)) || example.includes('ssl'))
    throw new Error(`${EXAMPLE} has changed.`);
  return example;
};

/** A real nginx with the example configuration for several servers, which get the requests in turn. */
export class Balancer {
  readonly #nginx = new Nginx();
  readonly #port: number;

  private constructor(port: number) {
    this.#port = port;
  }

  static async start(servers: readonly string[]): Promise<Balancer> {
    const port = await freePort();
    const balancer = new Balancer(port);
    await balancer.#nginx.start(settingsOf(port, servers), port);
    return balancer;
  }

  get address(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  stop(): Promise<void> {
    return this.#nginx.stop();
  }
}
