import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { bytesText, DEFAULT_BODY_LIMIT, MAX_HEADERS, ROUTE_TABLE, type RouteShape } from '@signalbox/contract';
import { makeOpenApi } from '@signalbox/contract/openapi';
import { describe, expect, it, onTestFinished } from 'vitest';
import { describeOneDatabase } from '../../testing/database/databases.ts';
import { failedRunsIn } from '../../testing/failed-runs.ts';
import { sampleProject } from '../../testing/sample-project.ts';
import { startTestServer } from '../../testing/test-server.ts';
import { ApiError } from '../errors/api-error.ts';
import { makeApp } from './app.ts';

const REQUEST_MS = 300;
const POST = 'POST /echo HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n';

/** A server with a short request time limit, one call that reads a body, and one that does not wait for it. */
const start = async (requestMs = REQUEST_MS) => {
  const app = await makeApp({
    logLevel: 'silent',
    trustedProxies: [],
    pathPrefix: '',
    databaseErrors: { isUnavailable: () => false, isFull: () => false, isDangling: () => false },
    requestMs,
  });
  app.post('/echo', (request) => Promise.resolve({ got: request.body }));
  const refuse = (): Promise<void> => Promise.reject(new ApiError('not_signed_in'));
  app.post('/closed', { onRequest: refuse }, () => Promise.resolve({}));
  app.get('/ping', () => Promise.resolve('pong'));
  await app.listen({ host: '127.0.0.1', port: 0 });
  onTestFinished(() => app.close());
  const { port } = app.server.address() as AddressInfo;
  const open = async (): Promise<Socket> => {
    const socket = connect(port, '127.0.0.1');
    onTestFinished(() => void socket.destroy());
    await once(socket, 'connect');
    return socket;
  };
  return { open, url: `http://127.0.0.1:${port}` };
};

const bodyOf = (answer: string): unknown => JSON.parse(answer.slice(answer.indexOf('\r\n\r\n')));

describe('[S12] a request that does not arrive', () => {
  it.each([
    ['a body that stops', `${POST}content-length: 100\r\n\r\n{"a":`],
    ['a body in chunks that stops', `${POST}transfer-encoding: chunked\r\n\r\n5\r\n{"a":\r\n`],
    ['headers that stop', `${POST}x-half: `],
  ])('is answered with 408 and disconnected: %s', async (_what, bytes) => {
    const { open } = await start();
    const socket = await open();
    socket.write(bytes);
    const answer = await text(socket);
    expect(answer).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/);
    expect(answer).toMatch(/\r\nconnection: close\r\n/);
    expect(bodyOf(answer)).toEqual({ error: 'The request took too long to arrive.', code: 'too_slow' });
  });

  it('gets no extra time for each byte', async () => {
    const { open } = await start();
    const socket = await open();
    socket.write(`${POST}content-length: 100000\r\n\r\n{"a":"`);
    const parts: string[] = [];
    socket.on('data', (part: Buffer) => parts.push(part.toString()));
    // The server may close the connection while a byte is on its way.
    socket.on('error', () => undefined);
    const trickle = setInterval(() => socket.writable && socket.write('x'), 20);
    onTestFinished(() => clearInterval(trickle));
    const since = performance.now();
    await new Promise((resolve) => socket.once('close', resolve));
    expect(parts.join('')).toMatch(/^HTTP\/1\.1 408 /);
    expect(performance.now() - since).toBeLessThan(REQUEST_MS * 10);
  });

  it('is disconnected without a second answer if it was answered before its end', async () => {
    const { open } = await start();
    const socket = await open();
    socket.write(POST.replace('/echo', '/closed').concat('content-length: 100\r\n\r\n{'));
    const answer = await text(socket);
    expect(answer).toMatch(/^HTTP\/1\.1 401 /);
    expect(answer.match(/HTTP\/1\.1/g)).toHaveLength(1);
  });

  it('delays neither other clients nor complete requests on the same connection', async () => {
    const { open, url } = await start();
    const slow = await open();
    slow.write(`${POST}content-length: 100\r\n\r\n{`);
    expect((await fetch(`${url}/ping`)).status).toBe(200);
    const socket = await open();
    const parts: string[] = [];
    socket.on('data', (part: Buffer) => parts.push(part.toString()));
    const answered = async (times: number) =>
      expect.poll(() => parts.join('').match(/HTTP\/1\.1 200/g)?.length).toBe(times);
    for (let times = 1; times <= 3; times += 1) {
      socket.write(`${POST}content-length: 7\r\n\r\n{"a":`);
      await new Promise(setImmediate);
      socket.write('1}');
      await answered(times);
    }
    expect(await text(slow)).toMatch(/^HTTP\/1\.1 408 /);
  });
});

describe('[S12] a request that is too large', () => {
  it('is refused if its headers are too large, not silently shortened', async () => {
    const { open } = await start(5000);
    for (const [count, status] of [
      [MAX_HEADERS, 200],
      [MAX_HEADERS + 1, 431],
      [2500, 431],
    ] as const) {
      const socket = await open();
      socket.write(`GET /ping HTTP/1.1\r\nhost: x\r\nconnection: close\r\n${'x:y\r\n'.repeat(count - 2)}\r\n`);
      const answer = await text(socket);
      expect(answer.slice(0, 13), String(count)).toBe(`HTTP/1.1 ${status} `);
      if (status === 431)
        expect(bodyOf(answer), String(count)).toMatchObject({
          code: 'headers_too_large.number',
          params: { number: count, max: MAX_HEADERS },
        });
    }
  });

  it('gets an answer with the limit if its body is too large, whether or not it declares its length', async () => {
    const { open, url } = await start(5000);
    const body = JSON.stringify({ name: 'x'.repeat(DEFAULT_BODY_LIMIT) });
    const limitText = await fetch(`${url}/echo`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    });
    expect(limitText.status).toBe(413);
    expect(await limitText.json()).toEqual({
      error: 'The body is longer than the maximum of 256 KiB.',
      code: 'too_large.body',
      params: { max: '256 KiB' },
    });
    const socket = await open();
    socket.on('error', () => undefined);
    const size = body.length.toString(16);
    socket.write(`${POST}transfer-encoding: chunked\r\n\r\n${size}\r\n${body}\r\n`);
    const [first] = (await once(socket, 'data')) as [Buffer];
    expect(first.toString()).toMatch(/^HTTP\/1\.1 413 /);
    expect(bodyOf(first.toString())).toMatchObject({ code: 'too_large.body' });
  });
});

describeOneDatabase('[S12] the body of a call', (makeLocation) => {
  it('may have the size in the route table and not a byte more', async () => {
    const client = await (await startTestServer(await makeLocation())).signIn();
    const { projectId } = await sampleProject(client);
    for (const [name, route] of Object.entries(ROUTE_TABLE as Record<string, RouteShape>)) {
      if (!route.body) continue;
      const limit = route.bodyLimit ?? DEFAULT_BODY_LIMIT;
      const send = (bytes: number) =>
        client.send({
          method: route.method,
          url: `/api${route.path.replaceAll(/\{(\w+)\}/g, (_, param) => String(param === 'project_id' ? projectId : 1))}`,
          headers: { 'content-type': 'application/json' },
          payload: `{"name":"${'x'.repeat(bytes - 11)}"}`,
        });
      expect((await send(limit)).statusCode, name).not.toBe(413);
      const refused = await send(limit + 1);
      expect(refused.statusCode, name).toBe(413);
      expect(refused.json(), name).toMatchObject({
        code: 'too_large.body',
        error: expect.stringContaining(bytesText(limit)),
      });
    }
  });

  it('may contain a text of the maximum length of each field', async () => {
    const client = await (await startTestServer(await makeLocation())).signIn();
    const { base } = await sampleProject(client);
    const long = JSON.stringify({ a: '"'.repeat(100_000) });
    const answer = await client.post(`${base}/environment`, { name: 'Long', json: long, env: long.replace('a', 'A') });
    expect(answer.statusCode, answer.body.slice(0, 200)).toBe(201);
  });
});

interface Described {
  readonly paths: Record<string, Record<string, { parameters: { name?: string; schema?: { maximum?: number } }[] }>>;
}

describeOneDatabase('[S12] the length of a list', (makeLocation) => {
  it('is at most the documented maximum, and a larger one is refused instead of cut', async () => {
    const { server, admin: client, sample, run, list } = await failedRunsIn(makeLocation);
    const template = await sample.template();
    const task = await run(template);
    const [failure] = await list();
    const host = await server.storage.database.autocommit
      .insertInto('host')
      .values({ project_id: sample.projectId, host: 'web-1', runs: '[]' })
      .returning('id')
      .executeTakeFirstOrThrow();
    const ids: Record<string, number | string> = {
      fingerprint: failure?.fingerprint ?? '',
      failure_id: failure?.id ?? 0,
      project_id: sample.projectId,
      template_id: template,
      task_id: task,
      host_number: 1,
      host_id: host.id,
    };
    const { paths } = makeOpenApi() as unknown as Described;
    const limited = Object.entries(paths).flatMap(([path, { get }]) => {
      const most = get?.parameters.find(({ name }) => name === 'limit')?.schema?.maximum;
      return most === undefined ? [] : [{ path, most }];
    });
    expect(limited.length).toBeGreaterThan(5);
    for (const { path, most } of limited) {
      const url = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(ids[name]));
      expect((await client.get(`${url}?limit=${most}`)).statusCode, path).toBe(200);
      const refused = await client.get(`${url}?limit=${most + 1}`);
      expect(refused.statusCode, path).toBe(400);
      expect(refused.json(), path).toMatchObject({ code: 'bad_input', fields: { limit: expect.any(String) } });
    }
  });
});

describeOneDatabase('the OpenAPI document', (makeLocation) => {
  it('is served without a session, with the address of the server, and with 304 unless it has changed', async () => {
    const server = await startTestServer(await makeLocation(), { SIGNALBOX_URL: 'https://signalbox.example/box' });
    const answer = await server.anonymous.send({ method: 'GET', url: '/box/api/openapi.json' });
    expect(answer.statusCode).toBe(200);
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(answer.json()).toMatchObject({ openapi: '3.1.0', servers: [{ url: '/box/api' }] });
    const again = await server.anonymous.send({
      method: 'GET',
      url: '/api/openapi.json',
      headers: { 'if-none-match': String(answer.headers.etag) },
    });
    expect(again.statusCode).toBe(304);
  });
});
