import { type CDPSession, chromium, type Page } from '@playwright/test';
import type { ApiClient } from '../tooling/product/api-client.ts';

/** Tasks of the page's main thread that take longer are reported, in milliseconds. It is the browser's own limit. */
export const LONG_TASK_MS = 50;
/** Two frames further apart than this have lost one at least, in milliseconds: at 60 a second they are 16.7 apart. */
export const FRAME_GAP_MS = 33;

/** What the main thread of a page went through while something was done. */
export interface Strain {
  /** Milliseconds until it was there, as the page's own clock has it. */
  readonly ms: number;
  /** Milliseconds of each task that was longer than 50. */
  readonly long: readonly number[];
  readonly frames: number;
  /** Frames that came more than 33 ms after the one before. */
  readonly gaps: number;
  /** Megabytes of the page's own objects, after a collection. */
  readonly heapMb: number;
}

interface Recorder {
  start: () => void;
  stop: () => Pick<Strain, 'long' | 'frames' | 'gaps'>;
}

declare global {
  var recorder: Recorder;
}

/** Runs in the page, before its own scripts: listens to long tasks and counts frames. */
const installRecorder = (gapMs: number): void => {
  let [since, last, frames, gaps, running] = [0, 0, 0, 0, false];
  const seen: PerformanceEntry[] = [];
  const observer = new PerformanceObserver((list) => seen.push(...list.getEntries()));
  observer.observe({ type: 'longtask', buffered: true });
  const frame = (now: number): void => {
    if (!running) return;
    frames += 1;
    if (last > 0 && now - last > gapMs) gaps += 1;
    last = now;
    requestAnimationFrame(frame);
  };
  globalThis.recorder = {
    start: () => {
      [since, last, frames, gaps, running] = [performance.now(), 0, 0, 0, true];
      requestAnimationFrame(frame);
    },
    stop: () => {
      running = false;
      seen.push(...observer.takeRecords());
      const long = seen.filter(({ startTime }) => startTime >= since).map(({ duration }) => Math.round(duration));
      return { long, frames, gaps };
    },
  };
};

const heapMb = async (session: CDPSession): Promise<number> => {
  await session.send('HeapProfiler.collectGarbage');
  const { metrics } = await session.send('Performance.getMetrics');
  return (metrics.find(({ name }) => name === 'JSHeapUsedSize')?.value ?? Number.NaN) / 1e6;
};

/** A page of the console in a browser of its own, whose main thread is watched. */
export class ConsolePage {
  readonly page: Page;
  readonly #session: CDPSession;

  private constructor(page: Page, session: CDPSession) {
    this.page = page;
    this.#session = session;
  }

  /** Does something with a page that is signed in as a client of the API is. Closes the browser, however that goes. */
  static async with<T>(client: ApiClient, work: (console: ConsolePage) => Promise<T>): Promise<T> {
    const browser = await chromium.launch({
      executablePath: '/usr/bin/chromium',
      args: ['--no-sandbox', '--disable-gpu'],
    });
    try {
      const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
      await context.addCookies(
        client.cookie.split('; ').map((cookie) => {
          const [name = '', ...value] = cookie.split('=');
          return { name, value: value.join('='), url: client.address };
        }),
      );
      const page = await context.newPage();
      await page.addInitScript(installRecorder, FRAME_GAP_MS);
      const session = await context.newCDPSession(page);
      await session.send('Performance.enable');
      await session.send('HeapProfiler.enable');
      return await work(new ConsolePage(page, session));
    } finally {
      await browser.close();
    }
  }

  /** Watches the main thread while `work` runs. `work` may return how many milliseconds count. Default: all of them. */
  async watch(work: () => Promise<number | undefined>): Promise<Strain> {
    await this.page.evaluate(() => globalThis.recorder.start());
    const since = performance.now();
    const reported = await work();
    const ms = reported ?? performance.now() - since;
    const strain = await this.page.evaluate(() => globalThis.recorder.stop());
    return { ms, ...strain, heapMb: await heapMb(this.#session) };
  }

  /** Goes to an address, and watches from the navigation until a condition holds in the page. */
  async watchNavigation(address: string, condition: string): Promise<Strain> {
    await this.page.goto(address, { waitUntil: 'commit' });
    await this.until(condition);
    const { now, strain } = await this.page.evaluate(() => ({
      now: performance.now(),
      strain: globalThis.recorder.stop(),
    }));
    return { ms: now, ...strain, heapMb: await heapMb(this.#session) };
  }

  /**
   * Returns the milliseconds until a condition holds in the page, checked in each frame. `act` runs in the page first.
   * @throws when it has not held for `limitMs`
   */
  async until(condition: string, act = '', limitMs = 60_000): Promise<number> {
    // As a text, because the page's own policy lets nothing in it evaluate one.
    const took = await this.page.evaluate<number>(`new Promise((resolve) => {
      const since = performance.now();
      ${act};
      const check = () => {
        const passed = performance.now() - since;
        if ((${condition}) || passed > ${limitMs}) resolve(passed);
        else requestAnimationFrame(check);
      };
      check();
    })`);
    if (took > limitMs) throw new Error(`The page has not come to: ${condition}`);
    return took;
  }
}

/** Long tasks as the table has them. */
export const shownLong = (long: readonly number[]): string =>
  long.length === 0
    ? 'no long task'
    : `${long.length} long ${long.length === 1 ? 'task' : 'tasks'}: ${long
        .toSorted((a, b) => b - a)
        .slice(0, 8)
        .join(', ')} ms`;
