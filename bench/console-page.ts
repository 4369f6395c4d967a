import { type CDPSession, chromium, type Page } from '@playwright/test';
import type { ApiClient } from '../tooling/product/api-client.ts';

/**
 * A task of the main thread that takes longer than this is a long task, in milliseconds: the limit of the Long Tasks
 * API.
 */
export const LONG_TASK_MS = 50;
/**
 * Minimum distance of two frames between which a frame was lost, in milliseconds. At 60 frames per second it is 16.7 ms.
 */
export const FRAME_GAP_MS = 33;

/** What was measured in the main thread of a page during an action. */
export interface Strain {
  /** Duration of the action by the clock of the page, in milliseconds. */
  readonly ms: number;
  /** Duration of each long task, in milliseconds. */
  readonly long: readonly number[];
  readonly frames: number;
  /** Number of late frames. */
  readonly gaps: number;
  /** Size of the objects of the page after a garbage collection, in MB. */
  readonly heapMb: number;
}

interface Recorder {
  start: () => void;
  stop: () => Pick<Strain, 'long' | 'frames' | 'gaps'>;
}

declare global {
  var recorder: Recorder;
}

/** Runs in the page before its scripts: records long tasks and frames. */
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

/** A page of the console in its own browser, with measurements of its main thread. */
export class ConsolePage {
  readonly page: Page;
  readonly #session: CDPSession;

  private constructor(page: Page, session: CDPSession) {
    this.page = page;
    this.#session = session;
  }

  /** Opens a page with the session of an API client, calls `work`, and closes the browser, also after an error. */
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

  /**
   * Measures the main thread while `work` runs. `work` may return the duration that counts, in milliseconds. Default:
   * its whole duration.
   */
  async watch(work: () => Promise<number | undefined>): Promise<Strain> {
    await this.page.evaluate(() => globalThis.recorder.start());
    const since = performance.now();
    const reported = await work();
    const ms = reported ?? performance.now() - since;
    const strain = await this.page.evaluate(() => globalThis.recorder.stop());
    return { ms, ...strain, heapMb: await heapMb(this.#session) };
  }

  /** Opens a URL, and measures from the navigation until a condition holds in the page. */
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
    return this.#wait(condition, act, limitMs, 'resolve(passed)');
  }

  /** Waits until the page has nothing to do, as before the first click of a user. */
  async idle(): Promise<void> {
    await this.page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)));
  }

  /**
   * Returns the milliseconds from `act` to the frame after the one in which a condition holds, so that layout and
   * painting count too.
   * @throws when it has not held for 60 seconds
   */
  async untilDrawn(condition: string, act: string): Promise<number> {
    return this.#wait(condition, act, 60_000, 'requestAnimationFrame(() => resolve(performance.now() - since))');
  }

  async #wait(condition: string, act: string, limitMs: number, finish: string): Promise<number> {
    // The condition is part of the source text: the content security policy of the page forbids `eval`.
    const took = await this.page.evaluate<number>(`new Promise((resolve) => {
      const since = performance.now();
      ${act};
      const check = () => {
        const passed = performance.now() - since;
        if (passed > ${limitMs}) resolve(passed);
        else if (${condition}) ${finish};
        else requestAnimationFrame(check);
      };
      check();
    })`);
    if (took > limitMs) throw new Error(`Waited ${limitMs} ms for the condition: ${condition}`);
    return took;
  }
}

/** Formats long tasks for the table. */
export const shownLong = (long: readonly number[]): string =>
  long.length === 0
    ? 'no long task'
    : `${long.length} long ${long.length === 1 ? 'task' : 'tasks'}: ${long
        .toSorted((a, b) => b - a)
        .slice(0, 8)
        .join(', ')} ms`;
