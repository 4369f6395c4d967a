import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { LiveMessage } from '@signalbox/contract';
import { describe, expect, it, onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import { LiveHub, type LiveHubNeeds } from './live-hub.ts';
import { LiveServer, type LiveServerNeeds } from './live-server.ts';

interface Live {
  readonly hearings?: LiveHubNeeds['hearings'];
  readonly totalLines?: LiveHubNeeds['totalLines'];
  readonly sessionOf: LiveServerNeeds['sessionOf'];
}

const startLive = async ({
  hearings = () => Promise.resolve(new Map()),
  totalLines = () => Promise.resolve(undefined),
  sessionOf,
}: Live) => {
  const hub = new LiveHub({ hearings, totalLines, onError: () => undefined });
  const live = new LiveServer({ hub, sessionOf, isOwnOrigin: () => true });
  const server = createServer().on('upgrade', (...upgrade) => void live.handleUpgrade(...upgrade));
  onTestFinished(() => void server.close());
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const socket = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}/api/ws`);
  return { hub, socket };
};

describe('a live socket', () => {
  it.each([
    ['that nobody has a session for', () => Promise.resolve(undefined), 401, undefined],
    ['whose session ends meanwhile', () => Promise.resolve('of nobody'), 401, undefined],
    ['whose session cannot be looked up now', () => Promise.reject(new Error('the database is away')), 503, '2'],
  ])('%s is refused', async (_name, sessionOf, status, retryAfter) => {
    const { hub, socket } = await startLive({ sessionOf });
    const [, answer] = (await once(socket, 'unexpected-response')) as [unknown, IncomingMessage];
    answer.resume();
    expect(answer.statusCode).toBe(status);
    expect(answer.headers['retry-after']).toBe(retryAfter);
    expect(hub.size).toBe(0);
  });

  it('hears from its first moment on, and by no answer that another one has overtaken', async () => {
    const hearing = (...projects: number[]) =>
      new Map([['one', { userId: 1, projects: new Set(projects), isAdmin: false }]]);
    const answers = [Promise.resolve(hearing(1))];
    const { hub, socket } = await startLive({
      hearings: () => answers.shift() ?? Promise.resolve(hearing(1, 2)),
      sessionOf: () => Promise.resolve('one'),
    });
    const heard: unknown[] = [];
    socket.on('message', (data: Buffer) => heard.push(JSON.parse(data.toString('utf8'))));
    await once(socket, 'open');
    onTestFinished(() => socket.terminate());
    socket.send('{"type":"follow","tasks":[]}');
    socket.ping();
    await once(socket, 'pong');
    hub.partChanged(1, 'keys');
    const slow = Promise.withResolvers<ReturnType<typeof hearing>>();
    answers.push(slow.promise);
    const overtaken = hub.refresh();
    await hub.refresh();
    slow.resolve(hearing());
    await overtaken;
    socket.ping();
    await once(socket, 'pong');
    expect(heard).toEqual([
      { type: 'changed', project_id: 1, part: 'keys' },
      { type: 'changed', project_id: 2, part: 'project' },
      { type: 'changed', project_id: 2, part: 'users' },
    ]);
  });

  describe('of a follower that has fallen behind', () => {
    const TASK = 7;
    const TEXT = 'x'.repeat(1000);

    const fallBehind = async (totalLines: LiveHubNeeds['totalLines']) => {
      let projects = [1];
      const { hub, socket } = await startLive({
        hearings: () => Promise.resolve(new Map([['one', { userId: 1, projects: new Set(projects), isAdmin: false }]])),
        totalLines,
        sessionOf: () => Promise.resolve('one'),
      });
      const heard: LiveMessage[] = [];
      socket.on('message', (data: Buffer) => heard.push(JSON.parse(data.toString('utf8')) as LiveMessage));
      await once(socket, 'open');
      onTestFinished(() => socket.terminate());
      socket.send(JSON.stringify({ type: 'follow', tasks: [TASK] }));
      socket.ping();
      await once(socket, 'pong');
      socket.pause();
      for (let first = 1; first <= 1000; first++) hub.linesStored(1, TASK, first, [[0, TEXT]]);
      const hearOnly = (id: number) => {
        projects = [id];
        return hub.refresh();
      };
      return { hub, socket, heard, hearOnly };
    };

    it('is told how far the log has come, also where that cannot be read at first', async () => {
      const refusals = [new Error('the database is away')];
      const { socket, heard } = await fallBehind(async () => {
        const refusal = refusals.shift();
        if (refusal) throw refusal;
        return { projectId: 1, total: 1000 };
      });
      socket.resume();
      await expect.poll(() => heard.at(-1)).toMatchObject({ type: 'behind', task_id: TASK, total: 1000 });
      expect(heard.length).toBeLessThan(500);
    });

    it('says nothing of it to whoever is out of the project meanwhile', async () => {
      const asked = Promise.withResolvers<void>();
      const { hub, socket, heard, hearOnly } = await fallBehind(() => {
        asked.resolve();
        return Promise.resolve({ projectId: 1, total: 1000 });
      });
      await hearOnly(2);
      socket.resume();
      await asked.promise;
      hub.partChanged(2, 'keys');
      await expect.poll(() => heard.at(-1)).toMatchObject({ type: 'changed', project_id: 2, part: 'keys' });
      socket.ping();
      await once(socket, 'pong');
      expect(heard.filter(({ type }) => type === 'behind')).toEqual([]);
    });
  });
});
