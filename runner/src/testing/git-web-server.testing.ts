import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runProgram } from '../process/program.ts';
import { TEST_PATH } from './runner-harness.testing.ts';

const HEADER_END = '\r\n\r\n';

/** Passes one request to git's own CGI program, and its output to the client. */
const serve = (root: string, user: string, request: IncomingMessage, response: ServerResponse) => {
  const url = new URL(request.url ?? '/', 'https://x');
  const child = spawn('git', ['http-backend'], {
    env: {
      PATH: TEST_PATH,
      GIT_PROJECT_ROOT: root,
      GIT_HTTP_EXPORT_ALL: '1',
      GIT_CONFIG_COUNT: '1',
      GIT_CONFIG_KEY_0: 'safe.directory',
      GIT_CONFIG_VALUE_0: '*',
      PATH_INFO: url.pathname,
      QUERY_STRING: url.search.slice(1),
      REQUEST_METHOD: request.method ?? 'GET',
      CONTENT_TYPE: request.headers['content-type'] ?? '',
      HTTP_CONTENT_ENCODING: `${request.headers['content-encoding'] ?? ''}`,
      GIT_PROTOCOL: `${request.headers['git-protocol'] ?? ''}`,
      REMOTE_USER: user,
    },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  request.pipe(child.stdin);
  child.stdin.on('error', () => undefined);
  let head = '';
  const onData = (chunk: Buffer) => {
    head += chunk.toString('latin1');
    const end = head.indexOf(HEADER_END);
    if (end < 0) return;
    child.stdout.off('data', onData);
    const headers = new Map(
      head
        .slice(0, end)
        .split('\r\n')
        .map((row) => row.split(': ', 2) as [string, string]),
    );
    response.statusCode = Number.parseInt(headers.get('Status') ?? '200', 10);
    headers.delete('Status');
    for (const [name, value] of headers) response.setHeader(name, value);
    response.write(Buffer.from(head.slice(end + HEADER_END.length), 'latin1'));
    child.stdout.pipe(response);
  };
  child.stdout.on('data', onData);
  child.once('exit', () => {
    if (!head.includes(HEADER_END)) response.writeHead(500).end();
  });
};

/** A git server over HTTPS, with one login and a certificate of its own authority. */
export interface GitWebServer {
  origin: string;
  /** The file for SSL_CERT_FILE of programs that trust the authority. */
  authority: string;
  /** Each login that was sent, once. */
  logins: Set<string>;
  close(): Promise<void>;
}

/** Serves the repositories in `root` to clients with the login, or to all clients without one. */
export const startGitWebServer = async (
  root: string,
  login: { user: string; password: string } | undefined,
): Promise<GitWebServer> => {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-web-'));
  const [keyFile, authority] = [join(folder, 'key'), join(folder, 'authority.pem')];
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1'];
  const made = await runProgram(
    'openssl',
    ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', ...subject, '-keyout', keyFile, '-out', authority],
    { env: { PATH: TEST_PATH }, timeoutMs: 30_000 },
  );
  if (made.code !== 0) throw new Error(`openssl could not make a certificate: ${made.stderr}`);
  const wanted = login && `Basic ${Buffer.from(`${login.user}:${login.password}`).toString('base64')}`;
  const logins = new Set<string>();
  const server = createServer({ key: readFileSync(keyFile), cert: readFileSync(authority) }, (request, response) => {
    const given = request.headers.authorization;
    if (given !== undefined) logins.add(given);
    if (wanted !== undefined && given !== wanted) {
      response.writeHead(401, { 'www-authenticate': 'Basic realm="git"' }).end();
      return;
    }
    serve(root, login?.user ?? '', request, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('The git server has no port.');
  return {
    origin: `https://127.0.0.1:${address.port}`,
    authority,
    logins,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
      rmSync(folder, { recursive: true });
    },
  };
};
