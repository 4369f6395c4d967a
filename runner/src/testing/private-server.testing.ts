import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer as createHttpServer, type IncomingMessage, type Server } from 'node:http';
import { createServer } from 'node:https';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { LINK_PROTOCOL } from '@signalbox/contract/link';
import { WebSocketServer } from 'ws';

const openssl = (...args: string[]): void => void execFileSync('openssl', args, { stdio: 'pipe' });
const NEW_KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];

/** Creates a private authority, and a certificate of it for the names and addresses of a server. */
export const makePrivateCertificate = (folder: string, names: string) => {
  const path = (name: string): string => join(folder, name);
  const authority = ['-x509', '-days', '2', '-subj', '/CN=Private authority'];
  openssl('req', ...authority, ...NEW_KEY, '-keyout', path('ca.key'), '-out', path('ca.pem'));
  openssl('req', ...NEW_KEY, '-subj', '/CN=server', '-keyout', path('server.key'), '-out', path('server.csr'));
  writeFileSync(path('names'), `subjectAltName=${names}`);
  const by = ['-CA', path('ca.pem'), '-CAkey', path('ca.key'), '-CAcreateserial', '-extfile', path('names')];
  openssl('x509', '-req', '-days', '2', '-in', path('server.csr'), ...by, '-out', path('server.pem'));
  return { ca: path('ca.pem'), key: readFileSync(path('server.key')), cert: readFileSync(path('server.pem')) };
};

/** Starts a server on this machine. Returns its port, and how to close it with all of its connections. */
const listen = async (server: Server) => {
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const close = async (): Promise<void> => {
    const closed = once(server, 'close');
    server.close();
    for (const socket of sockets) socket.destroy();
    await closed;
  };
  return { port: (server.address() as AddressInfo).port, close };
};

interface Registrar {
  /** Answers a registration: status and body. */
  readonly register: (body: Record<string, unknown>) => readonly [number, object];
}

/** An https server with a certificate of a private authority: it registers runners and accepts their links. */
export const startPrivateServer = async (
  { key, cert }: { readonly key: Buffer; readonly cert: Buffer },
  { register }: Registrar,
) => {
  const links: (string | undefined)[] = [];
  const registrations: Record<string, unknown>[] = [];
  const answer = async (request: IncomingMessage): Promise<readonly [number, object]> => {
    if (request.method !== 'POST' || request.url !== '/api/runners/register') return [404, { error: 'Not found.' }];
    const body = JSON.parse(await text(request)) as Record<string, unknown>;
    registrations.push(body);
    return register(body);
  };
  const server = createServer({ key, cert }, (request, response) => {
    void answer(request).then(([status, body]) => response.writeHead(status).end(JSON.stringify(body)));
  });
  new WebSocketServer({ server, path: '/api/runner/link' }).on('connection', (socket, request) => {
    links.push(request.headers.authorization);
    socket.once('message', () =>
      socket.send(JSON.stringify({ type: 'welcome', protocol: LINK_PROTOCOL, version: 'test' })),
    );
  });
  return { ...(await listen(server)), links, registrations };
};

/** A proxy that only tunnels (CONNECT), every name to the same port of this machine. */
export const startProxy = async (port: number) => {
  const tunnels: string[] = [];
  const server = createHttpServer((_request, response) => response.writeHead(405).end());
  server.on('connect', (request, socket, head) => {
    tunnels.push(`${request.url ?? ''} ${request.headers['proxy-authorization'] ?? ''}`.trim());
    const target = connect(port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      target.write(head);
      target.pipe(socket).pipe(target);
    });
    for (const one of [target, socket]) one.on('error', () => [target, socket].map((each) => each.destroy()));
  });
  return { ...(await listen(server)), tunnels };
};
