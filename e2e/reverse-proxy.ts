import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, until } from '../tooling/product/product.ts';

const TEMPORARY = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];

/** The URL in the example configuration. */
const PATH = '/signalbox';
const EXAMPLE = join(import.meta.dirname, '..', 'deploy', 'nginx.conf');

/** The example configuration with the addresses of this test, and with all its files in one folder. */
const settingsOf = (folder: string, port: number, server: string): string => {
  const replacements = [
    ['listen 443 ssl', `listen 127.0.0.1:${port} ssl`],
    ['server_name example.com', 'server_name localhost'],
    ['/etc/ssl/certs/example.com.pem', `${folder}/certificate.pem`],
    ['/etc/ssl/private/example.com.key', `${folder}/key.pem`],
    ['http://127.0.0.1:3000', server],
  ] as const;
  let example = readFileSync(EXAMPLE, 'utf8');
  for (const [there, here] of replacements) {
    if (!example.includes(there)) throw new Error(`${EXAMPLE} does not hold ${there}`);
    example = example.replaceAll(there, here);
  }
  return `
user root;
worker_processes 1;
pid ${folder}/nginx.pid;
error_log ${folder}/error.log;
events { worker_connections 256; }
http {
access_log off;
${TEMPORARY.map((name) => `${name}_temp_path ${folder}/${name};`).join('\n')}
${example}
}
`;
};

export interface ReverseProxy {
  /** The public address, without a slash at its end. */
  readonly address: string;
  /** Starts to forward requests to a server. Before, no server is connected. */
  open(server: string): Promise<void>;
  close(): Promise<void>;
}

/** A real nginx with TLS, which serves the product below a path. */
export const reverseProxy = async (): Promise<ReverseProxy> => {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-nginx-'));
  const port = await freePort();
  const address = `https://localhost:${port}${PATH}`;
  let child: ReturnType<typeof spawn> | undefined;
  return {
    address,
    open: async (server) => {
      const made = ['-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=localhost'];
      const names = ['-addext', 'subjectAltName=DNS:localhost'];
      const out = ['-keyout', join(folder, 'key.pem'), '-out', join(folder, 'certificate.pem')];
      execFileSync('openssl', ['req', ...made, ...names, ...out], { stdio: 'pipe' });
      writeFileSync(join(folder, 'nginx.conf'), settingsOf(folder, port, server));
      const args = ['-c', join(folder, 'nginx.conf'), '-p', folder, '-g', 'daemon off;'];
      child = spawn('/usr/sbin/nginx', args, { stdio: ['ignore', 'inherit', 'inherit'] });
      // It prints nothing when it is ready; any answer shows that it is ready.
      await until('nginx', () =>
        fetch(`http://127.0.0.1:${port}/`).then(
          () => true,
          () => undefined,
        ),
      );
    },
    close: async () => {
      if (child && child.exitCode === null) {
        const gone = once(child, 'exit');
        child.kill('SIGTERM');
        await gone;
      }
      rmSync(folder, { recursive: true, force: true });
    },
  };
};
