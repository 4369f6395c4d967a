import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Nginx } from '../tooling/product/nginx.ts';
import { freePort } from '../tooling/product/product.ts';

/** The URL in the example configuration. */
const PATH = '/signalbox';
const EXAMPLE = join(import.meta.dirname, '..', 'deploy', 'nginx.conf');

/** The example configuration with the addresses of this test, and the certificate in a folder. */
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
  return example;
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
  const nginx = new Nginx();
  const { folder } = nginx;
  const port = await freePort();
  return {
    address: `https://localhost:${port}${PATH}`,
    open: async (server) => {
      const made = ['-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=localhost'];
      const names = ['-addext', 'subjectAltName=DNS:localhost'];
      const out = ['-keyout', join(folder, 'key.pem'), '-out', join(folder, 'certificate.pem')];
      execFileSync('openssl', ['req', ...made, ...names, ...out], { stdio: 'pipe' });
      await nginx.start(settingsOf(folder, port, server), port);
    },
    close: () => nginx.stop(),
  };
};
