import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, it, onTestFinished } from 'vitest';
import { describeOneDatabase } from '../../testing/database/databases.ts';
import { sampleProject } from '../../testing/sample-project.ts';
import { ADMIN_PASSWORD, startTestServer, type TestServer } from '../../testing/test-server.ts';

/** Sends raw bytes and reads until the server closes the connection. */
const raw = async (server: TestServer, bytes: string): Promise<string> => {
  const socket = connect(Number(new URL(server.baseUrl).port), '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  socket.write(bytes);
  return await text(socket);
};

const CLOSE = 'host: x\r\nconnection: close\r\n';
const HEADERS = ['content-security-policy', 'x-content-type-options', 'x-frame-options', 'referrer-policy'];

describeOneDatabase('[S12] the edge', (makeLocation) => {
  it('answers invalid HTTP in the format of other errors, with the same headers, and continues', async () => {
    const server = await startTestServer(await makeLocation());
    for (const [what, bytes, status] of [
      ['garbage', 'hello?\r\n\r\n', 400],
      ['TLS', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\r\n\r\n', 400],
      ['no host', 'GET /api/ping HTTP/1.1\r\nconnection: close\r\n\r\n', 400],
      ['a huge header', `GET /api/ping HTTP/1.1\r\n${CLOSE}x: ${'x'.repeat(40_000)}\r\n\r\n`, 431],
      ['very many headers', `GET /api/ping HTTP/1.1\r\n${CLOSE}${'x: y\r\n'.repeat(99)}\r\n`, 431],
      ['a huge query', `GET /api/ping?${'x'.repeat(40_000)} HTTP/1.1\r\n${CLOSE}\r\n`, 431],
      ['a bad address', `GET /api/%zz HTTP/1.1\r\n${CLOSE}\r\n`, 400],
      ['two lengths', `POST /api/auth/login HTTP/1.1\r\n${CLOSE}content-length: 2\r\ncontent-length: 3\r\n\r\n{}`, 400],
      [
        'length and chunks',
        `POST /api/auth/login HTTP/1.1\r\n${CLOSE}content-length: 2\r\ntransfer-encoding: chunked\r\n\r\n{}`,
        400,
      ],
      [
        'bad chunks',
        `POST /api/auth/login HTTP/1.1\r\n${CLOSE}content-type: application/json\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n{}\r\n`,
        400,
      ],
      ['an unknown method', `BREW / HTTP/1.1\r\n${CLOSE}\r\n`, 400],
      ['another method', `PROPFIND /api/ping HTTP/1.1\r\n${CLOSE}\r\n`, 404],
      ['TRACE', `TRACE /api/ping HTTP/1.1\r\n${CLOSE}\r\n`, 404],
      ['OPTIONS of all', `OPTIONS * HTTP/1.1\r\n${CLOSE}\r\n`, 404],
      ['a write to a read', `DELETE /api/user HTTP/1.1\r\n${CLOSE}\r\n`, 404],
      [
        'an upgrade to nothing',
        'GET /nope HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n',
        404,
      ],
    ] as const) {
      const answer = await raw(server, bytes);
      expect(answer, what).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
      // These two are refused before the application can format an answer.
      if (what === 'no host' || what === 'an upgrade to nothing') continue;
      expect(JSON.parse(answer.slice(answer.indexOf('\r\n\r\n'))), what).toMatchObject({
        error: expect.stringMatching(/\.$/),
        code: expect.any(String),
      });
      for (const name of HEADERS) expect(answer.toLowerCase(), `${what}: ${name}`).toContain(`\n${name}: `);
    }
    expect((await server.anonymous.get('/ping')).body).toBe('pong');
  });

  it('survives clients that disconnect during an upgrade', async () => {
    const server = await startTestServer(await makeLocation());
    const { cookie } = await server.signIn();
    for (const path of ['/api/ws', '/nope', '/api/ws', '/nope']) {
      const socket = connect(Number(new URL(server.baseUrl).port), '127.0.0.1');
      await once(socket, 'connect');
      socket.write(
        `GET ${path} HTTP/1.1\r\nhost: x\r\ncookie: ${cookie}\r\nconnection: upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n`,
      );
      await new Promise(setImmediate);
      socket.resetAndDestroy();
      expect((await fetch(`${server.baseUrl}/api/ping`)).status).toBe(200);
    }
  });

  it('authenticates a client before it reads the body', async () => {
    const server = await startTestServer(await makeLocation());
    // The body never ends, so only a server that does not wait for it answers.
    const answer = await raw(
      server,
      `POST /api/project/1/inventory HTTP/1.1\r\n${CLOSE}content-type: application/json\r\ncontent-length: 9000000\r\n\r\n{`,
    );
    expect(answer).toMatch(/^HTTP\/1.1 401 /);
  });

  it('reads a body with a byte order mark or duplicate keys like JSON does, or refuses it', async () => {
    const client = await (await startTestServer(await makeLocation())).signIn();
    const post = (payload: string) =>
      client.send({ method: 'POST', url: '/api/projects', payload, headers: { 'content-type': 'application/json' } });
    expect((await post('\ufeff{"name":"x"}')).statusCode).toBe(400);
    expect((await post('{"name":"one","name":"two"}')).json()).toMatchObject({ name: 'two' });
    expect((await post('{"name":"zero","max_parallel_tasks":-0}')).json()).toMatchObject({ max_parallel_tasks: 0 });
    for (const number of ['1e400', '-1e400', '1e-1', '9007199254740993', '"1"', 'true', '[1]']) {
      expect((await post(`{"name":"x","max_parallel_tasks":${number}}`)).statusCode, number).toBe(400);
    }
  });

  it('stores names as they are displayed, and refuses invisible ones', async () => {
    const client = await (await startTestServer(await makeLocation())).signIn();
    for (const name of ['Ж\u0301 日本 🚂', '<b>&amp;', "'; drop table users; --", '%s %n', 'a'.repeat(255)]) {
      const answer = await client.post('/projects', { name });
      expect(answer.statusCode, answer.body).toBe(201);
      expect(answer.json()).toMatchObject({ name });
    }
    for (const name of [
      '\ud800',
      'a\udc00b',
      '\u200b',
      '\u202e\u2066',
      'a\u0007b',
      'a\tb',
      'a\u2028b',
      '  ',
      'a'.repeat(256),
    ]) {
      const answer = await client.post('/projects', { name });
      expect(answer.statusCode, JSON.stringify(name)).toBe(400);
      expect(answer.json(), JSON.stringify(name)).toHaveProperty('fields.name');
    }
  });

  it('answers a GET with 304 unless the object has changed', async () => {
    const client = await (await startTestServer(await makeLocation())).signIn();
    const { base } = await sampleProject(client);
    const first = await client.get(`${base}/keys`);
    const etag = String(first.headers.etag);
    expect(etag).toMatch(/^"[\w-]+"$/);
    expect(first.headers['cache-control']).toBe('private, no-cache');
    const again = (value: string) =>
      client.send({ method: 'GET', url: `/api${base}/keys`, headers: { 'if-none-match': value } });
    expect(await again(etag)).toMatchObject({ statusCode: 304, body: '' });
    expect(await again(`"other", W/${etag}`)).toMatchObject({ statusCode: 304, body: '' });
    expect((await again('"other"')).body).toBe(first.body);
    // HEAD has the headers of GET without its body.
    const headers = { 'if-none-match': etag };
    const head = await client.send({ method: 'HEAD', url: `/api${base}/keys`, headers });
    expect(head).toMatchObject({
      statusCode: 200,
      body: '',
      headers: { etag, 'content-length': `${first.body.length}` },
    });
    await client.post(`${base}/keys`, { name: 'Another', type: 'none' });
    const changed = await again(etag);
    expect(changed.statusCode).toBe(200);
    expect(changed.headers.etag).not.toBe(etag);
  });

  it('sets cookies for HTTPS and for its own path only, if the public address uses HTTPS', async () => {
    const server = await startTestServer(await makeLocation(), { SIGNALBOX_URL: 'https://signalbox.example/box' });
    const login = (headers: Record<string, string> = {}) =>
      server.anonymous.send({
        method: 'POST',
        url: '/box/api/auth/login',
        headers,
        payload: { auth: 'admin', password: ADMIN_PASSWORD },
      });
    const [session, marker] = (await login({ origin: 'https://signalbox.example' })).cookies;
    expect(session).toMatchObject({
      name: 'signalbox_session',
      path: '/box/',
      secure: true,
      httpOnly: true,
      sameSite: 'Lax',
    });
    expect(marker).toMatchObject({
      name: 'signalbox_signed_in',
      value: '1',
      path: '/box/',
      secure: true,
      sameSite: 'Lax',
    });
    expect(marker).not.toHaveProperty('httpOnly');
    for (const origin of [
      'http://signalbox.example',
      'https://signalbox.example:444',
      'https://x.signalbox.example',
      'null',
    ]) {
      expect((await login({ origin, host: new URL('http://signalbox.example').host })).statusCode, origin).toBe(403);
    }
  });

  it('accepts no session from malformed cookies', async () => {
    const server = await startTestServer(await makeLocation());
    const { cookie } = await server.signIn();
    const token = /signalbox_session=([^;]+)/.exec(cookie)?.[1] ?? '';
    const get = (value: string) =>
      server.anonymous.send({ method: 'GET', url: '/api/user', headers: { cookie: value } });
    expect((await get(`a=b; signalbox_session=${token}`)).statusCode).toBe(200);
    for (const odd of [
      '',
      ';;;=;',
      'signalbox_session',
      'signalbox_session=',
      'signalbox_session=%zz',
      `signalbox_session=${token.slice(1)}`,
      `signalbox_session=${token} `.padEnd(9000, 'x'),
      `Signalbox_Session=${token}`,
      `signalbox_session=x; signalbox_session=${token}`,
      `__proto__=${token}`,
      'signalbox_session=__proto__',
    ]) {
      expect((await get(odd)).statusCode, odd.slice(0, 60)).toBe(401);
    }
  });
});
