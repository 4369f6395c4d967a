import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Client } from 'ldapts';
import { onTestFinished } from 'vitest';
import { makeCertificate } from './certificate.ts';

const SUFFIX = 'dc=corp,dc=example';
const ROOT = { dn: `cn=root,${SUFFIX}`, password: 'canary-of-the-root' };
const READER = { dn: `cn=reader,${SUFFIX}`, password: 'canary-of-the-reader' };

const freePort = async (): Promise<number> => {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as { port: number };
  probe.close();
  await once(probe, 'close');
  return port;
};

/** Resolves once slapd accepts connections, which is shortly after it reports its start. */
const listening = async (child: ChildProcess, port: number): Promise<void> => {
  while (child.exitCode === null) {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const socket = connect(port, '127.0.0.1', () => resolve(true)).once('error', () => resolve(false));
    const isThere = await promise;
    socket.destroy();
    if (isThere) return;
    await new Promise((again) => setTimeout(again, 10));
  }
};

const settingsOf = (folder: string, { certificate, key }: ReturnType<typeof makeCertificate>): string => `
${['core', 'cosine', 'inetorgperson'].map((name) => `include /etc/ldap/schema/${name}.schema`).join('\n')}
modulepath /usr/lib/ldap
moduleload back_mdb
moduleload memberof
TLSCertificateFile ${certificate}
TLSCertificateKeyFile ${key}
database mdb
suffix "${SUFFIX}"
rootdn "${ROOT.dn}"
rootpw ${ROOT.password}
directory ${join(folder, 'data')}
overlay memberof
access to * by dn.exact="${READER.dn}" read by anonymous auth by * none
`;

/** The password of a user of the directory. */
export const passwordOf = (uid: string): string => `canary of ${uid}`;

/** The entry of a user in the directory. */
const person = (uid: string) => ({
  ...{ objectClass: ['inetOrgPerson'], uid, sn: uid, displayName: `${uid} of Corp` },
  ...{ mail: `${uid.replaceAll(/\W/g, '')}@example.com`, userPassword: passwordOf(uid) },
});

const fill = async (url: string, people: readonly string[], groups: Readonly<Record<string, string[]>>) => {
  const client = new Client({ url });
  try {
    await client.bind(ROOT.dn, ROOT.password);
    await client.add(SUFFIX, { objectClass: ['dcObject', 'organization'], dc: 'corp', o: 'Corp' });
    const reader = { objectClass: ['organizationalRole', 'simpleSecurityObject'], cn: 'reader' };
    await client.add(READER.dn, { ...reader, userPassword: READER.password });
    for (const ou of ['people', 'others', 'groups']) {
      await client.add(`ou=${ou},${SUFFIX}`, { objectClass: ['organizationalUnit'], ou });
    }
    const add = (ou: string, cn: string, uid: string) =>
      client.add(`cn=${cn},ou=${ou},${SUFFIX}`, { ...person(uid), cn });
    // The common name needs no escaping.
    for (const [n, uid] of people.entries()) await add('people', `person ${n}`, uid);
    for (const ou of ['people', 'others']) await add(ou, 'twin', 'twin');
    for (const [cn, members] of Object.entries(groups)) {
      const member = members.map((uid) => `cn=person ${people.indexOf(uid)},ou=people,${SUFFIX}`);
      await client.add(`cn=${cn},ou=groups,${SUFFIX}`, { objectClass: ['groupOfNames'], cn, member });
    }
  } finally {
    await client.unbind();
  }
};

export interface LdapFixture {
  /** Settings for a server: the address, and the account for searches. */
  readonly settings: (how: 'ldaps' | 'start_tls') => Record<string, unknown>;
  readonly suffix: string;
  stop(): Promise<void>;
}

/**
 * Starts slapd with TLS in a process that ends with the test. Each password follows from the login; `twin` has two
 * entries.
 */
export const startLdapServer = async (
  people: readonly string[],
  groups: Readonly<Record<string, string[]>> = {},
): Promise<LdapFixture> => {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-ldap-'));
  mkdirSync(join(folder, 'data'));
  const certificate = makeCertificate(folder);
  writeFileSync(join(folder, 'slapd.conf'), settingsOf(folder, certificate));
  const [plain, tls] = [await freePort(), await freePort()];
  const urls = `ldap://127.0.0.1:${plain} ldaps://127.0.0.1:${tls}`;
  const args = ['-f', join(folder, 'slapd.conf'), '-h', urls, '-d', 'stats'];
  const child: ChildProcess = spawn('/usr/sbin/slapd', args, { stdio: ['ignore', 'ignore', 'pipe'] });
  const ended = once(child, 'exit');
  const { promise: started, resolve } = Promise.withResolvers<void>();
  const answers: string[] = [];
  createInterface({ input: child.stderr as NodeJS.ReadableStream }).on('line', (line) => {
    answers.push(line);
    if (line.includes('slapd starting')) resolve();
  });
  let isThere = true;
  const stop = async (): Promise<void> => {
    if (!isThere) return;
    isThere = false;
    child.kill('SIGKILL');
    await ended;
    rmSync(folder, { recursive: true, force: true });
  };
  onTestFinished(stop);
  await Promise.race([
    started.then(() => Promise.all([listening(child, plain), listening(child, tls)])),
    ended.then(() => Promise.reject(new Error(`slapd ended:\n${answers.slice(-10).join('\n')}`))),
  ]);
  await fill(`ldap://127.0.0.1:${plain}`, people, groups);
  return {
    suffix: SUFFIX,
    stop,
    settings: (how) => ({
      ...(how === 'ldaps'
        ? { url: `ldaps://localhost:${tls}` }
        : { url: `ldap://localhost:${plain}`, start_tls: true }),
      ...{ ca_file: certificate.certificate, bind_dn: READER.dn, bind_password: READER.password },
      ...{ search_base: SUFFIX, search_filter: '(|(uid={login})(mail={login}))', name_attribute: 'displayName' },
    }),
  };
};
