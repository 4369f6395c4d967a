import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { onTestFinished } from 'vitest';
import { watchLoop } from './loop-watch.ts';
import type { LargeAnswer, LargeRequest } from './requests/http-client.worker.ts';
import type { TestServer } from './test-server.ts';

/** How long one request may block the main thread, in milliseconds. */
export const MAX_BLOCKED_MS = 50;
/** Maximum attempts for each request, because a slow attempt may include garbage collection for earlier requests. */
const TRIES = 4;

type Measured = LargeAnswer & { readonly blockedMs: number };

/** Returns a function that sends a large request from another thread, and measures how long it blocks the main thread. */
export const startMeasuring = (server: TestServer) => {
  const worker = new Worker(new URL('./requests/http-client.worker.ts', import.meta.url));
  const watch = watchLoop();
  onTestFinished(async () => {
    watch.stop();
    await worker.terminate();
  });
  const sendOnce = async (request: LargeRequest): Promise<Measured> => {
    watch.longestTurnMs();
    worker.postMessage(request);
    const [answer] = (await once(worker, 'message')) as [LargeAnswer];
    return { ...answer, blockedMs: watch.longestTurnMs() };
  };
  return async (request: Omit<LargeRequest, 'url'> & { readonly path: string }): Promise<Measured> => {
    const { path, ...rest } = request;
    let best = await sendOnce({ ...rest, url: server.baseUrl + path });
    for (let tries = 1; tries < TRIES && best.blockedMs > MAX_BLOCKED_MS; tries += 1) {
      const again = await sendOnce({ ...rest, url: server.baseUrl + path });
      if (again.blockedMs < best.blockedMs) best = again;
    }
    return best;
  };
};
