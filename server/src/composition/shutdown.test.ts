import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import { describeOneEmptyDatabase, describeRemoteDatabase, type TestLocation } from '../testing/database/databases.ts';
import { sampleProject } from '../testing/sample-project.ts';
import { signalbox } from '../testing/signalbox-process.ts';
import { startTestServer } from '../testing/test-server.ts';

const JSON_HEADERS = 'content-type: application/json\r\n';

const start = async (location: TestLocation) => {
  const server = signalbox(location, 'server', { SIGNALBOX_ADMIN_PASSWORD: 'right horse' });
  const address = /ready at (\S+)/.exec(await server.printed('Signalbox is ready'))?.[1] ?? '';
  const open = async (): Promise<Socket> => {
    const socket = connect(Number(new URL(address).port), '127.0.0.1');
    onTestFinished(() => void socket.destroy());
    await once(socket, 'connect');
    return socket;
  };
  const answer = await fetch(`${address}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ auth: 'admin', password: 'right horse' }),
  });
  const cookie = answer.headers.getSetCookie().map((one) => one.split(';')[0]);
  return { server, address, open, cookie: cookie.join('; ') };
};

const statusOf = async (socket: Socket): Promise<string> => {
  const [data] = (await once(socket, 'data')) as [Buffer];
  return data.toString('utf8').split('\r\n')[0] ?? '';
};

/** Stops a server during a call. Returns the milliseconds until it refused other calls. */
const endInOrder = async (location: TestLocation): Promise<number> => {
  const { server, address, open, cookie } = await start(location);
  const body = JSON.stringify({ name: 'the last one' });
  const call = await open();
  call.write(
    `POST /api/projects HTTP/1.1\r\nhost: x\r\ncookie: ${cookie}\r\n${JSON_HEADERS}content-length: ${body.length}\r\n\r\n`,
  );
  // The server has read the head of the first call once a later call is answered.
  expect((await fetch(`${address}/api/ping`)).status).toBe(200);
  server.child.kill('SIGTERM');
  const since = performance.now();
  const ping = async () => {
    const answer = await fetch(`${address}/api/ping`);
    await answer.body?.cancel();
    return answer;
  };
  await expect.poll(async () => (await ping()).status).toBe(503);
  const took = performance.now() - since;
  const refused = await ping();
  expect(refused.headers.get('retry-after')).toBe('2');
  const answered = statusOf(call);
  call.write(body);
  expect(await answered).toBe('HTTP/1.1 201 Created');
  expect(await server.ended).toMatchObject({ code: 0, output: expect.stringContaining('Signalbox has stopped.') });
  return took;
};

describeOneEmptyDatabase('[R12] an orderly shutdown', (makeLocation) => {
  it('lets the open call finish, answers others with 503, and exits with 0', async () => {
    const took: number[] = [];
    // A busy machine may need more than one attempt to be fast enough.
    while (took.length < 3 && !took.some((time) => time < 1000)) took.push(await endInOrder(await makeLocation()));
    expect(Math.min(...took), took.join(', ')).toBeLessThan(1000);
  });

  it('waits for no client forever: neither for an incomplete call nor for a socket that reads nothing', async () => {
    const { server, address, open, cookie } = await start(await makeLocation());
    const call = await open();
    call.write(
      `POST /api/projects HTTP/1.1\r\nhost: x\r\ncookie: ${cookie}\r\n${JSON_HEADERS}content-length: 99\r\n\r\n{`,
    );
    call.on('error', () => undefined);
    const listener = new WebSocket(`${address.replace('http', 'ws')}/api/ws`, { headers: { cookie } });
    listener.on('error', () => undefined);
    onTestFinished(() => listener.terminate());
    await once(listener, 'open');
    listener.pause();
    server.child.kill('SIGTERM');
    expect((await server.ended).code).toBe(0);
  });
});

/**
 * A proxy to PostgreSQL that can be cut, as when the database stops: open connections break and new ones are refused.
 * When silenced, connections stay open but nothing passes.
 */
const makeProxy = async (databaseUrl: string) => {
  const target = new URL(databaseUrl);
  const open = new Set<Socket>();
  let isHushed = false;
  const listener = createServer((near) => {
    const far = connect(Number(target.port), target.hostname);
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(one);
      one.on('error', () => other.destroy());
      one.on('close', () => {
        open.delete(one);
        other.destroy();
      });
      one.pipe(other);
      if (isHushed) one.pause();
    }
  });
  const listen = async (port: number): Promise<number> => {
    listener.listen(port, '127.0.0.1');
    await once(listener, 'listening');
    return (listener.address() as { port: number }).port;
  };
  const port = await listen(0);
  const cut = async (): Promise<void> => {
    const closed = once(listener, 'close');
    listener.close();
    for (const socket of open) socket.resetAndDestroy();
    await closed;
  };
  const url = new URL(databaseUrl);
  url.host = `127.0.0.1:${port}`;
  const hush = (wanted: boolean): void => {
    isHushed = wanted;
    for (const socket of open) {
      if (wanted) socket.pause();
      else socket.resume();
    }
  };
  return { url: url.href, cut, reconnect: () => listen(port), hush };
};

describeRemoteDatabase('[R9] a database that becomes unavailable', (makeLocation) => {
  it('causes 503 with Retry-After within 2 s, and everything continues when it is back', async () => {
    const location = await makeLocation();
    const proxy = await makeProxy(location.databaseUrl ?? '');
    const server = await startTestServer({ ...location, databaseUrl: proxy.url });
    const client = await server.signIn();
    const { base } = await sampleProject(client);
    for (let round = 0; round < 3; round++) {
      // Cut while transactions are open on several connections.
      const busy = Array.from({ length: 20 }, (_, n) =>
        client.post(`${base}/keys`, { name: `key ${round} ${n}`, type: 'none' }),
      );
      await busy[round];
      await proxy.cut();
      for (const answer of await Promise.all(busy)) expect([201, 503]).toContain(answer.statusCode);
      for (const call of [
        () => client.get(`${base}/keys`),
        () => client.post('/projects', { name: 'not now' }),
        () => server.anonymous.post('/auth/login', { auth: 'admin', password: 'x' }),
      ]) {
        const since = performance.now();
        const answer = await call();
        expect(performance.now() - since).toBeLessThan(2000);
        expect(answer.statusCode, answer.body).toBe(503);
        expect(answer.headers['retry-after']).toBe('2');
        expect(answer.json()).toMatchObject({ code: 'unavailable.database' });
      }
      expect((await server.anonymous.get('/ping')).statusCode).toBe(200);
      await proxy.reconnect();
      await expect.poll(async () => (await client.get(`${base}/keys`)).statusCode).toBe(200);
    }
    expect((await client.get('/projects')).json<object[]>()).toHaveLength(1);
  });

  it('does not prevent a server from logging its shutdown when it is silent', async () => {
    const location = await makeLocation();
    const took: number[] = [];
    // A busy machine may need more than one attempt to be fast enough.
    while (took.length < 3 && !took.some((time) => time < 1000)) {
      const proxy = await makeProxy(location.databaseUrl ?? '');
      const { server, address, open, cookie } = await start({ ...location, databaseUrl: proxy.url });
      const ping = async () => (await fetch(`${address}/api/ping`)).status;
      // One call is still open.
      const call = await open();
      call.on('error', () => undefined);
      call.write(
        `POST /api/projects HTTP/1.1\r\nhost: x\r\ncookie: ${cookie}\r\n${JSON_HEADERS}content-length: 9\r\n\r\n{`,
      );
      expect(await ping()).toBe(200);
      proxy.hush(true);
      server.child.kill('SIGTERM');
      const since = performance.now();
      await expect.poll(ping, { timeout: 5_000 }).toBe(503);
      took.push(performance.now() - since);
      proxy.hush(false);
      call.destroy();
      expect(await server.ended).toMatchObject({ code: 0, output: expect.stringContaining('Signalbox has stopped.') });
      await proxy.cut();
    }
    expect(Math.min(...took), took.join(', ')).toBeLessThan(1000);
  });
});
