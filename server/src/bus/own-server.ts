import { randomBytes } from 'node:crypto';
import { statfs } from 'node:fs/promises';
import { availableParallelism, hostname, loadavg } from 'node:os';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { DiskSpace, ServerState } from '@signalbox/contract';
import type { Clock } from '../clock.ts';

/** Time between two measurements of the event loop in milliseconds. The measured delays include it. */
const RESOLUTION_MS = 10;
/** Measured values are at most this old, in milliseconds. */
const MEASURE_MS = 4_000;
const MAX_TEXT = 100;

export interface OwnServerDeps {
  readonly clock: Pick<Clock, 'now' | 'monotonic'>;
  readonly version: string;
  readonly dataFolder: string;
  readonly consoles: () => number;
  readonly runners: () => number;
  readonly notices: () => { readonly lagMs: number | undefined; readonly reopened: Date | undefined };
}

/** @returns null if the disk cannot be read */
export const diskSpaceOf = async (folder: string): Promise<DiskSpace | null> => {
  try {
    const { bavail, blocks, bsize } = await statfs(folder);
    return { free: bavail * bsize, total: blocks * bsize };
  } catch {
    return null;
  }
};

/** Describes this server to administrators and to the other servers. */
export class OwnServer {
  /** The name of this server in notices, new at each start. */
  readonly name = randomBytes(6).toString('hex');
  readonly #deps: OwnServerDeps;
  readonly #started: string;
  readonly #delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  #loopDelayMs = 0;
  #disk: DiskSpace | null = null;
  #measured = Number.NEGATIVE_INFINITY;

  constructor(deps: OwnServerDeps) {
    this.#deps = deps;
    this.#started = deps.clock.now().toISOString();
  }

  async start(): Promise<void> {
    this.#delays.enable();
    await this.#readDisk();
  }

  stop(): void {
    this.#delays.disable();
  }

  /** The current state. The disk is measured after the call, because the file system may be slow. */
  state(): ServerState {
    this.#measure();
    const { version, consoles, runners, notices } = this.#deps;
    const { lagMs, reopened } = notices();
    return {
      host: hostname().slice(0, MAX_TEXT),
      pid: process.pid,
      version: version.slice(0, MAX_TEXT),
      started: this.#started,
      load: (loadavg()[0] ?? 0) / availableParallelism(),
      memory: process.memoryUsage.rss(),
      loop_delay_ms: this.#loopDelayMs,
      consoles: consoles(),
      runners: runners(),
      notice_ms: lagMs ?? null,
      notices_reopened: reopened?.toISOString() ?? null,
      disk: this.#disk,
    };
  }

  #measure(): void {
    const now = this.#deps.clock.monotonic();
    if (now - this.#measured < MEASURE_MS) return;
    this.#measured = now;
    this.#loopDelayMs = Math.max(0, this.#delays.percentile(99) / 1e6 - RESOLUTION_MS);
    this.#delays.reset();
    void this.#readDisk();
  }

  async #readDisk(): Promise<void> {
    this.#disk = await diskSpaceOf(this.#deps.dataFolder);
  }
}
