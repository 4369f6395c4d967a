import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, until } from './product.ts';

const TEMPORARY = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
const EXAMPLE = join(import.meta.dirname, '..', '..', 'deploy', 'nginx-servers.conf');

/** The example configuration without TLS, with these servers, and with all its files in one folder. */
const settingsOf = (folder: string, port: number, servers: readonly string[]): string => {
  const upstreams = servers.map((server) => `server ${new URL(server).host} max_fails=1 fail_timeout=2s;`);
  const example = readFileSync(EXAMPLE, 'utf8')
    .replace(/( *server 10\.0\.0\.\d+:3000.*\n)+/, `${upstreams.join('\n')}\n`)
    .replace('listen 443 ssl', `listen 127.0.0.1:${port}`)
    .replace(/ *ssl_certificate.*\n/g, '');
  if (!upstreams.every((line) => example.includes(line)) || example.includes('ssl'))
    throw new Error(`${EXAMPLE} has changed.`);
  return `
user root;
worker_processes 1;
pid ${folder}/nginx.pid;
error_log ${folder}/error.log;
events { worker_connections 1024; }
http {
access_log off;
${TEMPORARY.map((name) => `${name}_temp_path ${folder}/${name};`).join('\n')}
${example}
}
`;
};

/** A real nginx with the example configuration for several servers, which get the requests in turn. */
export class Balancer {
  readonly #folder = mkdtempSync(join(tmpdir(), 'signalbox-balancer-'));
  readonly #port: number;
  readonly #child: ChildProcess;

  private constructor(port: number, servers: readonly string[]) {
    this.#port = port;
    const file = join(this.#folder, 'nginx.conf');
    writeFileSync(file, settingsOf(this.#folder, port, servers));
    const args = ['--pdeathsig', 'TERM', '/usr/sbin/nginx', '-c', file, '-p', this.#folder, '-g', 'daemon off;'];
    this.#child = spawn('setpriv', args, { stdio: ['ignore', 'inherit', 'inherit'] });
  }

  static async start(servers: readonly string[]): Promise<Balancer> {
    const balancer = new Balancer(await freePort(), servers);
    const answers = () =>
      fetch(balancer.address).then(
        () => true,
        () => undefined,
      );
    await until('nginx', answers);
    return balancer;
  }

  get address(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  async stop(): Promise<void> {
    const gone = once(this.#child, 'exit');
    if (this.#child.exitCode === null) {
      this.#child.kill('SIGTERM');
      await gone;
    }
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
