import type { RunHost, RunHosts } from '@signalbox/contract';
import type { MatrixHost } from './matrix-host.ts';

/** Hosts, and steps of each host, in one request. */
const PAGE = 500;
export const STEP_PAGE = 1000;
/** Minimum time between two redraws while hosts are loaded, in milliseconds. */
const REDRAW_MS = 400;
/** Maximum number of cells in memory, one byte each. Further hosts are not loaded. */
const MAX_CELLS = 40_000_000;

/** Maximum number of hosts that are loaded of a run. */
export const mostHosts = (steps: number): number =>
  Math.max(1, Math.floor(MAX_CELLS / Math.max(1, steps) / PAGE)) * PAGE;

interface NumberRange {
  readonly from: number;
  readonly limit: number;
}

/** Ranges of one page at most that contain some ascending numbers. */
const rangesOf = (numbers: readonly number[]): NumberRange[] => {
  const ranges: NumberRange[] = [];
  for (const number of numbers) {
    const last = ranges.at(-1);
    if (last && number < last.from + PAGE) ranges[ranges.length - 1] = { ...last, limit: number - last.from + 1 };
    else ranges.push({ from: number, limit: 1 });
  }
  return ranges;
};

export interface HostsRange {
  readonly from: number;
  readonly limit: number;
  readonly from_step: number;
  readonly step_limit: number;
  /** Only hosts with a result whose number is higher. */
  readonly after: number | undefined;
}

export type FetchHosts = (range: HostsRange) => Promise<RunHosts>;

/** How far a run is, as its summary answers it. */
export interface RunState {
  readonly results: number;
  readonly steps: number;
  readonly complete: boolean;
}

const hostOf = ({ number, host, cells, changed, failures, unreachable, ms }: RunHost): MatrixHost => ({
  ...{ number, host, cells, changed, ms },
  isBad: failures + unreachable > 0,
});

/** The hosts of a long run: all of them in pieces, and then only those with new results. */
export class HostLoader {
  readonly #fetch: FetchHosts;
  readonly #onHosts: (hosts: readonly MatrixHost[]) => void;
  readonly #hosts: MatrixHost[] = [];
  #after: number | undefined;
  #isFinal = false;
  #wanted: RunState | undefined;
  #isLoading = false;
  #shownAt = Number.NEGATIVE_INFINITY;

  constructor(fetch: FetchHosts, onHosts: (hosts: readonly MatrixHost[]) => void) {
    this.#fetch = fetch;
    this.#onHosts = onHosts;
  }

  /** Loads what is new. A call during a request is done after it. */
  async load(state: RunState): Promise<void> {
    this.#wanted = state;
    if (this.#isLoading) return;
    this.#isLoading = true;
    try {
      while (this.#wanted) {
        const next: RunState = this.#wanted;
        this.#wanted = undefined;
        await this.#loadPages(next);
      }
    } finally {
      this.#isLoading = false;
    }
  }

  async #loadPages({ results, steps, complete }: RunState): Promise<void> {
    // The final counts can differ for every host.
    const isNewEnd = complete && !this.#isFinal;
    const after = isNewEnd ? undefined : this.#after;
    const most = mostHosts(steps);
    for (let from = 1; from <= most; from += PAGE) {
      const { total, hosts } = await this.#page(from, steps, after);
      this.#take(hosts, most);
      if (hosts.length === 0 || from + PAGE > total) break;
      if (performance.now() - this.#shownAt > REDRAW_MS) this.#show();
    }
    this.#show();
    this.#after = results;
    this.#isFinal = complete;
  }

  async #page(from: number, steps: number, after: number | undefined): Promise<RunHosts> {
    const page = await this.#fetch({ from, limit: PAGE, from_step: 1, step_limit: STEP_PAGE, after });
    const more = new Map<number, string>();
    // Meanwhile other hosts can have new results, so the same hosts are requested by their numbers.
    const ranges = steps > STEP_PAGE ? rangesOf(page.hosts.map(({ number }) => number)) : [];
    for (let from_step = STEP_PAGE + 1; from_step <= steps; from_step += STEP_PAGE)
      for (const range of ranges)
        for (const { number, cells } of (
          await this.#fetch({ ...range, from_step, step_limit: STEP_PAGE, after: undefined })
        ).hosts)
          more.set(number, (more.get(number) ?? '') + cells);
    return {
      ...page,
      hosts: page.hosts.map((host) => ({ ...host, cells: host.cells + (more.get(host.number) ?? '') })),
    };
  }

  #take(hosts: readonly RunHost[], most: number): void {
    for (const host of hosts) if (host.number <= most) this.#hosts[host.number - 1] = hostOf(host);
    this.#hosts.length = Math.min(this.#hosts.length, most);
  }

  #show(): void {
    this.#shownAt = performance.now();
    this.#onHosts(this.#hosts.filter((host) => host !== undefined));
  }
}
