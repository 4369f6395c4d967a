import { once } from 'node:events';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { LiveMessage } from '@signalbox/contract';
import { expect, it, onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import { describeOneDatabase, type MakeLocation } from '../testing/database/databases.ts';
import { connectRunner } from '../testing/runners/scripted-runner.ts';
import { sampleProject } from '../testing/sample-project.ts';
import { type Client, startTestServer, type TestServer } from '../testing/test-server.ts';

const LINES = 2000;
const BATCHES = 150;
const TEXT = 'x'.repeat(190);

const listen = async (server: TestServer, client: Client): Promise<WebSocket> => {
  const socket = new WebSocket(`${server.baseUrl.replace('http', 'ws')}/api/ws`, {
    headers: { cookie: client.cookie },
  });
  socket.on('error', () => undefined);
  onTestFinished(() => socket.terminate());
  await once(socket, 'open');
  // The pong proves that the server knows the socket and its user.
  socket.ping();
  await once(socket, 'pong');
  return socket;
};

/** Starts a server with a running task, and the runner that reports it. */
const setUp = async (makeLocation: MakeLocation) => {
  const location = await makeLocation();
  const server = await startTestServer(location);
  const admin = await server.signIn();
  const sample = await sampleProject(admin);
  const runner = await connectRunner(server, location.folder);
  runner.hello();
  const launched = await admin.post(`${sample.base}/tasks`, { template_id: await sample.template() });
  const { id } = launched.json<{ id: number }>();
  const run = { task_id: id, epoch: (await runner.receives('job')).job.epoch };
  runner.send({ type: 'accepted', ...run });
  await runner.receives('start');
  /** Sends about 60 MB of output as fast as it is stored. */
  const flood = async (): Promise<void> => {
    for (let batch = 0; batch < BATCHES; batch++) {
      const first = batch * LINES + 1;
      const lines = Array.from({ length: LINES }, (_, n) => `${first + n} ${TEXT}`);
      runner.send({
        type: 'output',
        ...run,
        first,
        lines,
        times: lines.map((_, n) => first + n),
        offset: first + LINES,
      });
      await runner.receives('output_stored');
    }
  };
  return { server, admin, sample, id, flood };
};

const MB = 1024 * 1024;

describeOneDatabase('[R15] a live client', (makeLocation) => {
  it('costs little memory when it reads nothing during a flood, is notified that it is behind, and can read every line', async () => {
    const { server, admin, sample, id, flood } = await setUp(makeLocation);
    const serverSide: Socket[] = [];
    server.app.server.on('upgrade', (_request, one: Duplex) => serverSide.push(one as Socket));
    const socket = await listen(server, admin);
    const messages: LiveMessage[] = [];
    socket.on('message', (data: Buffer) => messages.push(JSON.parse(data.toString('utf8')) as LiveMessage));
    socket.send(JSON.stringify({ type: 'follow', tasks: [id] }));
    socket.ping();
    await once(socket, 'pong');
    socket.pause();
    await flood();
    expect(serverSide.length).toBe(1);
    // The kernel must not buffer it either, because later messages would wait behind it.
    expect(serverSide[0]?.bytesWritten).toBeLessThan(MB);
    socket.resume();
    const total = LINES * BATCHES;
    await expect
      .poll(() => messages.find(({ type }) => type === 'behind'), { timeout: 10_000 })
      .toEqual({ type: 'behind', project_id: sample.projectId, task_id: id, total });
    // The received lines have no gap, and are far from complete.
    let next = 1;
    for (const message of messages.filter((one) => one.type === 'lines')) {
      expect(message.first).toBe(next);
      next += message.lines.length;
    }
    expect(next).toBeLessThan(total / 2);
    const end = await admin.get(`${sample.base}/tasks/${id}/lines?from=${total}`);
    expect(end.json()).toMatchObject({ total, lines: [[total, `${total} ${TEXT}`]] });

    // Reads the whole log of 300,000 lines over the network: one streamed JSON array, in order.
    const answer = await fetch(`${server.baseUrl}/api${sample.base}/tasks/${id}/output`, {
      headers: { cookie: admin.cookie },
    });
    expect(answer.headers.get('content-length')).toBeNull();
    const records = (await answer.json()) as { id: number; output: string }[];
    expect(records).toHaveLength(total);
    expect(records.every((record, index) => record.id === index + 1)).toBe(true);
    expect(records.at(-1)?.output).toBe(`${total} ${TEXT}`);
  }, 90_000);

  it('is disconnected when it uses the plain protocol and reads too slowly', async () => {
    const { server, admin, flood } = await setUp(makeLocation);
    const socket = await listen(server, admin);
    socket.pause();
    await flood();
    const closed = once(socket, 'close');
    socket.resume();
    expect([1006, 1008]).toContain((await closed)[0]);
  }, 90_000);

  it('is ignored or disconnected when it sends unknown messages, without effect on other clients', async () => {
    const { server, admin, id } = await setUp(makeLocation);
    const good = await listen(server, admin);
    const bad = await listen(server, admin);
    for (const odd of ['', 'x', '[]', 'null', '{"type":"follow"}', '{"type":"follow","tasks":["1"]}', '\u0000'])
      bad.send(odd);
    bad.send(Buffer.from([0xff, 0xfe, 0x00]));
    bad.send(JSON.stringify({ type: 'follow', tasks: Array(51).fill(id) }));
    for (let n = 0; n < 20; n++) bad.send(JSON.stringify({ type: 'follow', tasks: [id] }));
    bad.ping();
    await once(bad, 'pong');
    const closed = once(bad, 'close');
    bad.send('x'.repeat(20_000));
    expect((await closed)[0]).toBe(1009);
    good.ping();
    await once(good, 'pong');
    expect(good.readyState).toBe(good.OPEN);
  });
});
