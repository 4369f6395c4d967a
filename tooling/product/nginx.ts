import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from './product.ts';

const TEMPORARY = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];

/** A real nginx, all of whose files are in one folder. It ends with this process. */
export class Nginx {
  readonly folder = mkdtempSync(join(tmpdir(), 'signalbox-nginx-'));
  #child: ChildProcess | undefined;

  /**
   * Starts nginx and waits until it answers.
   * @param servers the part of the configuration that describes servers, one of which listens at the port
   */
  async start(servers: string, port: number): Promise<void> {
    const file = join(this.folder, 'nginx.conf');
    writeFileSync(
      file,
      `
user root;
worker_processes 1;
pid ${this.folder}/nginx.pid;
error_log ${this.folder}/error.log;
events { worker_connections 1024; }
http {
access_log off;
${TEMPORARY.map((name) => `${name}_temp_path ${this.folder}/${name};`).join('\n')}
${servers}
}
`,
    );
    const args = ['--pdeathsig', 'TERM', '/usr/sbin/nginx', '-c', file, '-p', this.folder, '-g', 'daemon off;'];
    this.#child = spawn('setpriv', args, { stdio: ['ignore', 'inherit', 'inherit'] });
    // It prints nothing when it is ready; any answer shows that it is ready, also one that a server with TLS gives to plain HTTP.
    await until('nginx', () =>
      fetch(`http://127.0.0.1:${port}/`).then(
        () => true,
        () => undefined,
      ),
    );
  }

  async stop(): Promise<void> {
    if (this.#child && this.#child.exitCode === null) {
      const ended = once(this.#child, 'exit');
      this.#child.kill('SIGTERM');
      await ended;
    }
    rmSync(this.folder, { recursive: true, force: true });
  }
}
