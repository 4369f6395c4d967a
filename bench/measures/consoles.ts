import { once } from 'node:events';
import { WebSocket } from 'ws';
import type { ApiClient } from '../../tooling/product/api-client.ts';
import { steadyRepository } from '../line-plugin.ts';
import type { Measure } from '../measure.ts';
import { withProduct } from '../measured-product.ts';
import { processorSeconds } from '../process-time.ts';
import { percentile, shown } from '../statistics.ts';

const TASKS = 10;
const CONSOLES = 200;
const LINES_A_SECOND = 1000;
const SECONDS = 15;
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

export const consoles: Measure = {
  name: 'consoles',
  title: `${CONSOLES} consoles that follow tasks`,
  run: () =>
    withProduct(
      steadyRepository(LINES_A_SECOND, SECONDS),
      async ({ product, client, project, feed }) => {
        const template = await project.template('noisy.yml', { allow_parallel_tasks: true });
        await feed.success((await project.run(template)).id);
        const open = Array.from({ length: CONSOLES }, (_, at) => Console.open(client, at % READ_EACH === 0));
        const pages = await Promise.all(open);
        const tasks = await Promise.all(Array.from({ length: TASKS }, () => project.run(template)));
        for (const [at, page] of pages.entries()) page.follow(tasks[at % TASKS]?.id ?? 0);
        const before = processorSeconds(product.serverPid);
        const since = performance.now();
        await Promise.all(tasks.map(({ id }) => feed.success(id)));
        const share = (processorSeconds(product.serverPid) - before) / ((performance.now() - since) / 1000);
        for (const page of pages) page.close();
        const delays = pages.flatMap((page) => page.delays);
        const expected = (CONSOLES / READ_EACH) * LINES_A_SECOND * SECONDS;
        if (delays.length !== expected) throw new Error(`${delays.length} lines arrived, not ${expected}.`);
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
          how: `${TASKS} tasks run at once, and a callback plugin in each writes ${shown(LINES_A_SECOND)} lines per second for ${SECONDS} s, each with the time at which it was written. Every console follows one task; ${CONSOLES / READ_EACH} of them read the lines and received all of them, the others count bytes: ${shown(megabytes)} MB in all. The processor time is that of the server from the start of the tasks to their end, with its threads. ${TASKS} ansible-playbook, the runner and the clients share the cores.`,
        };
      },
      { SIGNALBOX_RUNNER_SLOTS: String(TASKS) },
    ),
};
