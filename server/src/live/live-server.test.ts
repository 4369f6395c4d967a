import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { LiveMessage } from '@signalbox/contract';
import { describe, expect, it, onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import { LiveHub, type LiveHubDeps } from './live-hub.ts';
import { LiveServer, type LiveServerDeps } from './live-server.ts';

interface Live {
  readonly readSubscribers?: LiveHubDeps['readSubscribers'];
  readonly totalLines?: LiveHubDeps['totalLines'];
  readonly sessionOf: LiveServerDeps['sessionOf'];
}

const startLive = async ({
  readSubscribers = () => Promise.resolve(new Map()),
  totalLines = () => Promise.resolve(undefined),
  sessionOf,
}: Live) => {
  const hub = new LiveHub({ readSubscribers, totalLines, onWatched: () => undefined, onError: () => undefined });
  const live = new LiveServer({ hub, sessionOf, isOwnOrigin: () => true });
  const server = createServer().on('upgrade', (...upgrade) => void live.handleUpgrade(...upgrade));
  onTestFinished(() => void server.close());
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const socket = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}/api/ws`);
  return { hub, socket };
};

describe('a live socket', () => {
  it.each([
    ['no session', () => Promise.resolve(undefined), 401, undefined],
    ['a session that ends meanwhile', () => Promise.resolve({ token: 'unknown' }), 401, undefined],
    ['an API token that may not read', () => Promise.resolve('out_of_scope' as const), 403, undefined],
    ['a session that cannot be checked now', () => Promise.reject(new Error('the database is away')), 503, '2'],
  ])('with %s is refused', async (_name, sessionOf, status, retryAfter) => {
    const { hub, socket } = await startLive({ sessionOf });
    const [, answer] = (await once(socket, 'unexpected-response')) as [unknown, IncomingMessage];
    answer.resume();
    expect(answer.statusCode).toBe(status);
    expect(answer.headers['retry-after']).toBe(retryAfter);
    expect(hub.size).toBe(0);
  });

  it('receives messages from its first moment on, and ignores rights that a later read has replaced', async () => {
    const subscriber = (...projects: number[]) =>
      new Map([['one', { userId: 1, projects: new Set(projects), isAdmin: false, hidden: new Set<number>() }]]);
    const answers = [Promise.resolve(subscriber(1))];
    const { hub, socket } = await startLive({
      readSubscribers: () => answers.shift() ?? Promise.resolve(subscriber(1, 2)),
      sessionOf: () => Promise.resolve({ token: 'one' }),
    });
    const received: unknown[] = [];
    socket.on('message', (data: Buffer) => received.push(JSON.parse(data.toString('utf8'))));
    await once(socket, 'open');
    onTestFinished(() => socket.terminate());
    socket.send('{"type":"follow","tasks":[]}');
    socket.ping();
    await once(socket, 'pong');
    hub.partChanged(1, 'keys');
    const slow = Promise.withResolvers<ReturnType<typeof subscriber>>();
    answers.push(slow.promise);
    const overtaken = hub.refresh();
    await hub.refresh();
    slow.resolve(subscriber());
    await overtaken;
    socket.ping();
    await once(socket, 'pong');
    expect(received).toEqual([
      { type: 'changed', project_id: 1, part: 'keys' },
      { type: 'changed', project_id: 2, part: 'project' },
      { type: 'changed', project_id: 2, part: 'users' },
    ]);
  });

  it('[S2] receives nothing of a task whose template was hidden from its user just before', async () => {
    const subscriber = (...hidden: number[]) =>
      new Map([['one', { userId: 1, projects: new Set([1]), isAdmin: false, hidden: new Set(hidden) }]]);
    const reads = [Promise.resolve(subscriber())];
    const { hub, socket } = await startLive({
      readSubscribers: () => reads.shift() ?? Promise.resolve(subscriber(5)),
      sessionOf: () => Promise.resolve({ token: 'one' }),
    });
    const received: LiveMessage[] = [];
    socket.on('message', (data: Buffer) => received.push(JSON.parse(data.toString('utf8')) as LiveMessage));
    await once(socket, 'open');
    onTestFinished(() => socket.terminate());
    socket.send('{"type":"follow","tasks":[]}');
    socket.ping();
    await once(socket, 'pong');
    const begun = Promise.withResolvers<ReturnType<typeof subscriber>>();
    const slow = Promise.withResolvers<ReturnType<typeof subscriber>>();
    reads.push(begun.promise, slow.promise);
    const earlier = hub.refresh();
    const changed = hub.rightsChanged();
    const task = { start_time: null, end_time: null, version: null, end_reason: null, end_params: null };
    const update = (id: number, template_id: number) =>
      hub.tasksChanged([{ id, project_id: 1, template_id, status: 'waiting', ...task }]);
    update(1, 5);
    update(2, 6);
    begun.resolve(subscriber());
    await earlier;
    expect(received).toEqual([]);
    slow.resolve(subscriber(5));
    await changed;
    update(3, 5);
    update(4, 6);
    socket.ping();
    await once(socket, 'pong');
    expect(received.map((message) => 'task_id' in message && message.task_id)).toEqual([2, 4]);
  });

  it('[S2] that opens while rights change receives nothing of a task whose template was hidden', async () => {
    const subscriber = (...hidden: number[]) =>
      new Map([['one', { userId: 1, projects: new Set([1]), isAdmin: false, hidden: new Set(hidden) }]]);
    const first = Promise.withResolvers<ReturnType<typeof subscriber>>();
    const asked = Promise.withResolvers<void>();
    const reads = [first.promise];
    const { hub, socket } = await startLive({
      readSubscribers: () => {
        asked.resolve();
        return reads.shift() ?? Promise.resolve(subscriber(5));
      },
      sessionOf: () => Promise.resolve({ token: 'one' }),
    });
    const received: LiveMessage[] = [];
    socket.on('message', (data: Buffer) => received.push(JSON.parse(data.toString('utf8')) as LiveMessage));
    onTestFinished(() => socket.terminate());
    await asked.promise;
    await hub.rightsChanged();
    first.resolve(subscriber());
    await once(socket, 'open');
    const task = { start_time: null, end_time: null, version: null, end_reason: null, end_params: null };
    for (const [id, template_id] of [
      [1, 5],
      [2, 6],
    ] as const)
      hub.tasksChanged([{ id, project_id: 1, template_id, status: 'waiting', ...task }]);
    await expect.poll(() => received.map((message) => 'task_id' in message && message.task_id)).toEqual([2]);
  });

  describe('a live socket of a client that has fallen behind', () => {
    const TASK = 7;
    const TEXT = 'x'.repeat(1000);

    const fallBehind = async (totalLines: LiveHubDeps['totalLines']) => {
      let projects = [1];
      const { hub, socket } = await startLive({
        readSubscribers: () =>
          Promise.resolve(
            new Map([['one', { userId: 1, projects: new Set(projects), isAdmin: false, hidden: new Set<number>() }]]),
          ),
        totalLines,
        sessionOf: () => Promise.resolve({ token: 'one' }),
      });
      const received: LiveMessage[] = [];
      socket.on('message', (data: Buffer) => received.push(JSON.parse(data.toString('utf8')) as LiveMessage));
      await once(socket, 'open');
      onTestFinished(() => socket.terminate());
      socket.send(JSON.stringify({ type: 'follow', tasks: [TASK] }));
      socket.ping();
      await once(socket, 'pong');
      socket.pause();
      for (let first = 1; first <= 1000; first++) hub.linesStored(1, TASK, first, [[0, TEXT]]);
      const receiveOnly = (id: number) => {
        projects = [id];
        return hub.refresh();
      };
      return { hub, socket, received, receiveOnly: receiveOnly };
    };

    it('gets the length of the log, even if it cannot be read at first', async () => {
      const refusals = [new Error('the database is away')];
      const { socket, received } = await fallBehind(async () => {
        const refusal = refusals.shift();
        if (refusal) throw refusal;
        return { projectId: 1, templateId: 1, total: 1000 };
      });
      socket.resume();
      await expect.poll(() => received.at(-1)).toMatchObject({ type: 'behind', task_id: TASK, total: 1000 });
      expect(received.length).toBeLessThan(500);
    });

    it('gets no message about it after the user has left the project', async () => {
      const asked = Promise.withResolvers<void>();
      const { hub, socket, received, receiveOnly } = await fallBehind(() => {
        asked.resolve();
        return Promise.resolve({ projectId: 1, templateId: 1, total: 1000 });
      });
      await receiveOnly(2);
      socket.resume();
      await asked.promise;
      hub.partChanged(2, 'keys');
      await expect.poll(() => received.at(-1)).toMatchObject({ type: 'changed', project_id: 2, part: 'keys' });
      socket.ping();
      await once(socket, 'pong');
      expect(received.filter(({ type }) => type === 'behind')).toEqual([]);
    });
  });
});
