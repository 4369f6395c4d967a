import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { MAX_LIVE_SOCKETS } from '@signalbox/contract';
import { WebSocket } from 'ws';
import { ApiClient } from '../../tooling/product/api-client.ts';
import { WAITING_LINE, waitingRepository } from '../line-plugin.ts';
import type { LiveFeed } from '../live-feed.ts';
import type { Measure, Measured } from '../measure.ts';
import { type MeasuredProduct, withProduct } from '../measured-product.ts';
import { processorSeconds } from '../process-time.ts';
import { percentile, shown } from '../statistics.ts';

const TASKS = 10;
const CONSOLES = 200;
const LINES_A_SECOND = 1000;
const SECONDS = 15;
const LAST_LINES_MS = 2_000;
const AIM_SHARE = 0.3;
const AIM_MS = 200;
/** One of so many consoles reads its lines. The others only count messages, so that the client leaves the machine to the server. */
const READ_EACH = 20;

/** A live socket that follows one task, as a page does. */
class Console {
  readonly #socket: WebSocket;
  readonly delays: number[] = [];
  bytes = 0;

  private constructor(socket: WebSocket, reads: boolean) {
    this.#socket = socket;
    socket.on('message', (data: Buffer) => {
      this.bytes += data.length;
      if (reads) this.#read(data.toString());
    });
  }

  static async open({ address, cookie }: ApiClient, reads: boolean): Promise<Console> {
    const socket = new WebSocket(`${address.replace('http', 'ws')}/api/ws`, {
      ...{ headers: { cookie }, origin: address, perMessageDeflate: false },
    });
    await once(socket, 'open');
    return new Console(socket, reads);
  }

  follow(task: number): void {
    this.#socket.send(JSON.stringify({ type: 'follow', tasks: [task] }));
  }

  #read(text: string): void {
    const now = Date.now();
    for (const [, written] of text.matchAll(/LINE \d+ (\d+)/g)) this.delays.push(now - Number(written) / 1e6);
  }

  close(): void {
    this.#socket.close();
  }
}

/** Sessions of users of the project, as many as the consoles need. A user may have only so many live sockets. */
const signInUsers = async ({ client, product, project }: MeasuredProduct): Promise<ApiClient[]> => {
  const count = Math.ceil(CONSOLES / MAX_LIVE_SOCKETS);
  return await Promise.all(
    Array.from({ length: count }, async (_, at) => {
      const user = {
        name: `User ${at}`,
        username: `user${at}`,
        email: `user${at}@example.com`,
        password: 'A long password',
      };
      const { id: user_id } = await client.call('createUser', { body: user });
      await client.call('addProjectUser', { params: project.params, body: { user_id, role: 'guest' } });
      const session = new ApiClient(product.address);
      await session.signIn(user.username, user.password);
      return session;
    }),
  );
};

/** Resolves when every task waits for the file that lets it write. */
const allWaiting = async (feed: LiveFeed, ids: readonly number[]): Promise<void> => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const waiting = new Set<number>();
  feed.follow(ids, ({ taskId, texts }) => {
    if (texts.includes(WAITING_LINE)) waiting.add(taskId);
    if (waiting.size === ids.length) resolve();
  });
  await promise;
  feed.follow([]);
};

const measure = async (measured: MeasuredProduct, file: string): Promise<Measured> => {
  const { product, project, feed } = measured;
  const template = await project.template('noisy.yml', { allow_parallel_tasks: true });
  const users = await signInUsers(measured);
  const pages: Console[] = [];
  for (let at = 0; at < CONSOLES; at += 1) {
    const user = users[Math.floor(at / MAX_LIVE_SOCKETS)];
    // One reader in each group, and each follows another task.
    if (user) pages.push(await Console.open(user, at % READ_EACH === Math.floor(at / READ_EACH)));
  }
  const tasks = await Promise.all(Array.from({ length: TASKS }, () => project.run(template)));
  await allWaiting(
    feed,
    tasks.map(({ id }) => id),
  );
  for (const [at, page] of pages.entries()) page.follow(tasks[at % TASKS]?.id ?? 0);
  const before = processorSeconds(product.serverPid);
  const since = performance.now();
  writeFileSync(file, '');
  await Promise.all(tasks.map(({ id }) => feed.success(id)));
  const share = (processorSeconds(product.serverPid) - before) / ((performance.now() - since) / 1000);
  const expected = (CONSOLES / READ_EACH) * LINES_A_SECOND * SECONDS;
  // The end of a task reaches one socket before the last lines reach another.
  await delay(LAST_LINES_MS);
  for (const page of pages) page.close();
  const delays = pages.flatMap((page) => page.delays);
  const p95 = percentile(delays, 0.95);
  const megabytes = pages.reduce((sum, { bytes }) => sum + bytes, 0) / 1e6;
  return {
    rows: [
      {
        what: `Processor time of the server while ${CONSOLES} consoles follow ${TASKS} tasks of ${shown(LINES_A_SECOND)} lines/s`,
        result: `${shown(share * 100)} % of a core`,
        ...{ baseline: '–', ratio: '–', aim: `≤ ${AIM_SHARE * 100} %`, isMet: share <= AIM_SHARE },
      },
      {
        what: 'Log latency at these consoles, write to live socket (p50 / p95)',
        result: `${shown(percentile(delays, 0.5))} / ${shown(p95)} ms`,
        ...{ baseline: '–', ratio: '–', aim: `p95 ≤ ${AIM_MS} ms`, isMet: p95 <= AIM_MS },
      },
    ],
    how: `${TASKS} tasks run at once. Once every playbook has started, a callback plugin in each writes ${shown(LINES_A_SECOND)} lines per second for ${SECONDS} s, each with the time at which it was written. Every console follows one task; ${CONSOLES / READ_EACH} of them read the lines and received ${shown((delays.length / expected) * 100, 1)} % of them, the others count bytes: ${shown(megabytes)} MB in all. The processor time is that of the server from the first line to the end of the tasks, with its threads. ${TASKS} ansible-playbook, the runner and the clients share the cores.`,
  };
};

export const consoles: Measure = {
  name: 'consoles',
  title: `${CONSOLES} consoles that follow tasks`,
  run: async () => {
    const folder = mkdtempSync(join(tmpdir(), 'signalbox-consoles-'));
    const file = join(folder, 'write');
    try {
      return await withProduct(
        waitingRepository(file, LINES_A_SECOND, SECONDS),
        (measured) => measure(measured, file),
        { SIGNALBOX_RUNNER_SLOTS: String(TASKS) },
      );
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
};
