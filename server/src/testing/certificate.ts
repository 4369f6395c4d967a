import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

/** Creates a self-signed certificate for `localhost` in a folder. Returns the paths of the certificate and its key. */
export const makeCertificate = (folder: string): { readonly certificate: string; readonly key: string } => {
  const [certificate, key] = [join(folder, 'certificate.pem'), join(folder, 'key.pem')];
  const made = ['-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=localhost'];
  const names = ['-addext', 'subjectAltName=DNS:localhost'];
  execFileSync('openssl', ['req', ...made, ...names, '-keyout', key, '-out', certificate], { stdio: 'pipe' });
  return { certificate, key };
};
