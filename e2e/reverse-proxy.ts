import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, until } from '../tooling/product/product.ts';

const TEMPORARY = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];

/** As `deploy/nginx.conf` has it, below a path, with all of its files in one folder. */
const settingsOf = (folder: string, port: number, path: string, server: string): string => `
user root;
worker_processes 1;
pid ${folder}/nginx.pid;
error_log ${folder}/error.log;
events { worker_connections 256; }
http {
  access_log off;
  ${TEMPORARY.map((name) => `${name}_temp_path ${folder}/${name};`).join('\n  ')}
  map $http_upgrade $connection_upgrade { default upgrade; '' close; }
  server {
    listen 127.0.0.1:${port} ssl;
    server_name localhost;
    ssl_certificate ${folder}/certificate.pem;
    ssl_certificate_key ${folder}/key.pem;
    location ${path}/ {
      proxy_pass ${server}/;
      proxy_http_version 1.1;
      proxy_set_header Host $http_host;
      proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
      proxy_set_header X-Forwarded-Proto $scheme;
      proxy_set_header Upgrade $http_upgrade;
      proxy_set_header Connection $connection_upgrade;
      proxy_buffering off;
    }
  }
}
`;

export interface ReverseProxy {
  /** The public address, without a slash at its end. */
  readonly address: string;
  /** Begins to pass on to a server; nothing is there before. */
  open(server: string): Promise<void>;
  close(): Promise<void>;
}

/** A real nginx with TLS, below whose path the product will lie. */
export const reverseProxy = async (path: string): Promise<ReverseProxy> => {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-nginx-'));
  const port = await freePort();
  const address = `https://localhost:${port}${path}`;
  let child: ReturnType<typeof spawn> | undefined;
  return {
    address,
    open: async (server) => {
      const made = ['-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=localhost'];
      const names = ['-addext', 'subjectAltName=DNS:localhost'];
      const out = ['-keyout', join(folder, 'key.pem'), '-out', join(folder, 'certificate.pem')];
      execFileSync('openssl', ['req', ...made, ...names, ...out], { stdio: 'pipe' });
      writeFileSync(join(folder, 'nginx.conf'), settingsOf(folder, port, path, server));
      const args = ['-c', join(folder, 'nginx.conf'), '-p', folder, '-g', 'daemon off;'];
      child = spawn('/usr/sbin/nginx', args, { stdio: ['ignore', 'inherit', 'inherit'] });
      // It says nothing when it is ready; any answer, of whomever it passes on to, says so.
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
