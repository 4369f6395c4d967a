import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { createServer as createHttps } from 'node:https';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer as createTls } from 'node:tls';
import { expect, it, onTestFinished } from 'vitest';
import { makeCertificate } from '../../testing/certificate.ts';
import {
  describeEachDatabase,
  describeOneDatabase,
  describeOneEmptyDatabase,
  describeRemoteDatabase,
} from '../../testing/database/databases.ts';
import { sampleProject } from '../../testing/sample-project.ts';
import { startTestServer } from '../../testing/test-server.ts';

interface Line {
  readonly id: number;
  readonly kind: string;
  readonly actor: object;
  readonly token: object | null;
  readonly project: object | null;
  readonly description: string;
}

const makeFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-audit-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
};

const parsed = (text: string): Line[] =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Line);

const listen = async (server: Server): Promise<number> => {
  const { promise, resolve } = Promise.withResolvers<void>();
  server.listen(0, '127.0.0.1', resolve);
  await promise;
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
};

/** The messages of RFC 5424 in an octet-counted stream. */
const messagesOf = (stream: Buffer): string[] => {
  const messages: string[] = [];
  for (let at = 0; at < stream.length; ) {
    const space = stream.indexOf(' ', at);
    const length = Number(stream.subarray(at, space).toString('latin1'));
    messages.push(stream.subarray(space + 1, space + 1 + length).toString('utf8'));
    at = space + 1 + length;
  }
  return messages;
};

/** A syslog server that keeps what it has received completely. */
const syslog = (make: (onSocket: (socket: Socket) => void) => Server) => {
  const received: string[] = [];
  const state = { isRefusing: false };
  const server = make((socket) => {
    const chunks: Buffer[] = [];
    socket.on('error', () => undefined);
    if (state.isRefusing) return void socket.destroy();
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    socket.on('end', () => {
      received.push(...messagesOf(Buffer.concat(chunks)));
      socket.end();
    });
  });
  return { server, received, state };
};

describeOneEmptyDatabase('[S11] the export of events of a new server', (makeLocation) => {
  it('begins with the creation of the first admin', async () => {
    const file = join(makeFolder(), 'audit.ndjson');
    await startTestServer(await makeLocation(), { SIGNALBOX_AUDIT_FILE: file });
    const kinds = () => (existsSync(file) ? parsed(readFileSync(file, 'utf8')).map(({ kind }) => kind) : []);
    await expect.poll(kinds, { timeout: 10_000 }).toEqual(['user.created_at_first_start']);
  });
});

describeEachDatabase('[S11] the export of events to a file', (makeLocation) => {
  it('appends every event in order with actor, address, token and project, also across restarts and rotation', async () => {
    const location = await makeLocation();
    const file = join(makeFolder(), 'audit.ndjson');
    const start = () => startTestServer(location, { SIGNALBOX_AUDIT_FILE: file });
    const first = await start();
    const admin = await first.signIn();
    const { projectId, base } = await sampleProject(admin, 'Büro');
    const { token } = (await admin.post('/user/tokens', { name: 'CI' })).json<{ token: string }>();
    const headers = { authorization: `Bearer ${token}` };
    const view = await first.anonymous.send({
      ...{ method: 'POST', url: `/api${base}/views`, headers, payload: { title: 'Nightly' } },
    });
    expect(view.statusCode).toBe(201);
    // The events of a deleted project are deleted with it, but were queued before.
    expect((await admin.del(base)).statusCode).toBe(204);
    const read = () => {
      try {
        return parsed(readFileSync(file, 'utf8'));
      } catch {
        return [];
      }
    };
    await expect.poll(() => read().at(-1)?.kind, { timeout: 10_000 }).toBe('project.deleted');
    const lines = read();
    expect(lines.map(({ id }) => id)).toEqual(lines.map(({ id }) => id).toSorted((a, b) => a - b));
    expect(lines.find(({ kind }) => kind === 'view.created')).toEqual({
      id: expect.any(Number),
      time: expect.stringMatching(/Z$/),
      actor: { type: 'user', id: 1, username: 'admin' },
      address: '127.0.0.1',
      token: { id: 1, name: 'CI' },
      project: { id: projectId, name: 'Büro' },
      object: { type: 'view', id: expect.any(Number), name: 'Nightly' },
      kind: 'view.created',
      params: { name: 'Nightly' },
      description: 'View Nightly created',
    });
    expect(lines.find(({ kind }) => kind === 'user.signed_in')).toMatchObject({ token: null, project: null });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    await first.stop();
    renameSync(file, `${file}.1`);
    const second = await start();
    await second.signIn();
    await expect.poll(() => read().map(({ kind }) => kind), { timeout: 10_000 }).toEqual(['user.signed_in']);
    const { read: db } = second.storage.database;
    await expect.poll(() => db.selectFrom('audit_entry').select('id').execute(), { timeout: 10_000 }).toEqual([]);
  });
});

describeOneDatabase('[S11] the export of events', (makeLocation) => {
  it('sends syslog over TCP, and sends what a server did not take again once it is back', async () => {
    const { server, received, state } = syslog((onSocket) => createServer({ allowHalfOpen: true }, onSocket));
    state.isRefusing = true;
    const address = `tcp://127.0.0.1:${await listen(server)}`;
    const location = await makeLocation();
    const first = await startTestServer(location, { SIGNALBOX_AUDIT_SYSLOG: address });
    await first.signIn();
    await first.stop();
    const second = await startTestServer(location, { SIGNALBOX_AUDIT_SYSLOG: address });
    const admin = await second.signIn();
    await admin.post('/projects', { name: 'Großprojekt' });
    expect(received).toEqual([]);
    state.isRefusing = false;
    await expect.poll(() => received.length, { timeout: 20_000 }).toBeGreaterThanOrEqual(3);
    const kinds = received.map((message) => (JSON.parse(message.slice(message.indexOf('{'))) as Line).kind);
    expect(kinds).toEqual(['user.signed_in', 'user.signed_in', 'project.created']);
    expect(received.at(-1)).toMatch(/^<110>1 \d{4}-\d\d-\d\dT[\d:.]+Z \S+ signalbox \d+ project\.created - \{"id":/);
    expect(received.at(-1)).toContain('Großprojekt');
  });

  it('sends syslog over TLS to a server of a private CA only', async () => {
    const { certificate, key } = makeCertificate(makeFolder());
    const options = { cert: readFileSync(certificate), key: readFileSync(key), allowHalfOpen: true };
    const { server, received } = syslog((onSocket) => createTls(options, onSocket));
    const address = `tls://localhost:${await listen(server)}`;
    const location = await makeLocation();
    const without = await startTestServer(location, { SIGNALBOX_AUDIT_SYSLOG: address });
    await without.signIn();
    await without.stop();
    expect(received).toEqual([]);
    const settings = { SIGNALBOX_AUDIT_SYSLOG: address, SIGNALBOX_AUDIT_CA: certificate };
    await startTestServer(location, settings);
    await expect.poll(() => received.length, { timeout: 10_000 }).toBe(1);
  });

  it('posts batches to an HTTPS receiver, each again until it is taken, while calls are answered', async () => {
    const { certificate, key } = makeCertificate(makeFolder());
    const posts: { readonly status: number; readonly text: string; readonly authorization: string | undefined }[] = [];
    const answers = [500, 302, 200];
    const server = createHttps(
      { cert: readFileSync(certificate), key: readFileSync(key) },
      async (request, response) => {
        const chunks: Buffer[] = [];
        for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
        const status = answers.shift() ?? 200;
        posts.push({
          status,
          text: Buffer.concat(chunks).toString('utf8'),
          authorization: request.headers.authorization,
        });
        response.writeHead(status, { location: '/elsewhere' }).end();
      },
    );
    const url = `https://localhost:${await listen(server)}/events`;
    const settings = {
      ...{ SIGNALBOX_AUDIT_URL: url, SIGNALBOX_AUDIT_TOKEN: 'secret-of-receiver', SIGNALBOX_AUDIT_CA: certificate },
    };
    const { signIn } = await startTestServer(await makeLocation(), settings);
    const admin = await signIn();
    expect((await admin.post('/projects', { name: 'First' })).statusCode).toBe(201);
    const taken = () => posts.filter(({ status }) => status === 200).flatMap(({ text }) => parsed(text));
    await expect.poll(() => taken().map(({ kind }) => kind), { timeout: 20_000 }).toContain('project.created');
    expect(posts.slice(0, 2).map(({ status }) => status)).toEqual([500, 302]);
    expect(taken().map(({ kind }) => kind)).toEqual(['user.signed_in', 'project.created']);
    expect(posts.every(({ authorization }) => authorization === 'Bearer secret-of-receiver')).toBe(true);
  });

  it('queues nothing without a destination, and drops what a removed destination has not received', async () => {
    const location = await makeLocation();
    const unreachable = { SIGNALBOX_AUDIT_SYSLOG: 'tcp://127.0.0.1:9' };
    const queued = async (settings: Record<string, string>) => {
      const server = await startTestServer(location, settings);
      await server.signIn();
      const rows = await server.storage.database.read.selectFrom('audit_entry').select('id').execute();
      await server.stop();
      return rows.length;
    };
    expect(await queued({})).toBe(0);
    expect(await queued(unreachable)).toBe(1);
    expect(await queued(unreachable)).toBe(2);
    expect(await queued({})).toBe(0);
  });
});

describeRemoteDatabase('[S11] the export of events by several servers', (makeLocation) => {
  it('sends each event once, whichever server records it', async () => {
    const file = join(makeFolder(), 'audit.ndjson');
    const location = await makeLocation();
    const settings = { SIGNALBOX_AUDIT_FILE: file };
    const servers = [await startTestServer(location, settings), await startTestServer(location, settings)];
    const clients = await Promise.all(servers.map((server) => server.signIn()));
    const names = Array.from({ length: 40 }, (_, n) => `Project ${n}`);
    await Promise.all(names.map((name, n) => clients[n % 2]?.post('/projects', { name })));
    const created = () => parsed(readFileSync(file, 'utf8')).filter(({ kind }) => kind === 'project.created');
    await expect.poll(() => created().length, { timeout: 20_000 }).toBeGreaterThanOrEqual(names.length);
    expect(new Set(created().map(({ id }) => id)).size).toBe(names.length);
    expect(created()).toHaveLength(names.length);
  });
});
