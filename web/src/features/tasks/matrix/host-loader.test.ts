import type { RunHost, RunHosts } from '@signalbox/contract';
import { describe, expect, it } from 'vitest';
import { HostLoader, type HostsRange, mostHosts } from './host-loader.ts';
import type { MatrixHost } from './matrix-host.ts';

const none = { ok: 0, changed: 0, failures: 0, ignored: 0, skipped: 0, rescued: 0, unreachable: 0, ms: 5 };

/** A server with hosts, each with the number of its newest result. */
const serve = (newest: number[], steps = 3) => {
  const asked: HostsRange[] = [];
  let shown: readonly MatrixHost[] = [];
  const fetch = async (range: HostsRange): Promise<RunHosts> => {
    asked.push(range);
    const all = newest.flatMap((result, at): RunHost[] =>
      result > (range.after ?? 0)
        ? [
            {
              ...none,
              number: at + 1,
              host: `h${at + 1}`,
              cells: 'o'.repeat(Math.min(range.step_limit, steps - range.from_step + 1)),
            },
          ]
        : [],
    );
    return { first: range.from, total: all.length, hosts: all.slice(range.from - 1, range.from - 1 + range.limit) };
  };
  const loader = new HostLoader(fetch, (hosts) => {
    shown = hosts;
  });
  return { asked, loader, shown: () => shown };
};

describe('the hosts of a long run', () => {
  it('are loaded in pages, and then only those with new results', async () => {
    const newest = Array.from({ length: 1200 }, (_, at) => at + 1);
    const { asked, loader, shown } = serve(newest);
    await loader.load({ results: 1200, steps: 3, complete: false });
    expect(asked.map(({ from, after }) => [from, after])).toEqual([
      [1, undefined],
      [501, undefined],
      [1001, undefined],
    ]);
    expect(shown()).toHaveLength(1200);
    const before = shown()[5];
    newest[2] = 1201;
    await loader.load({ results: 1201, steps: 3, complete: false });
    expect(asked.slice(3).map(({ from, after }) => [from, after])).toEqual([[1, 1200]]);
    expect(shown()[5]).toBe(before);
  });

  it('are all loaded again at the end, whose counts are final', async () => {
    const { asked, loader } = serve([1, 2]);
    await loader.load({ results: 2, steps: 3, complete: false });
    await loader.load({ results: 3, steps: 3, complete: true });
    expect(asked.map(({ after }) => after)).toEqual([undefined, undefined]);
  });

  it('have the cells of more steps than one request answers', async () => {
    const { loader, shown } = serve([1], 2_500);
    await loader.load({ results: 1, steps: 2_500, complete: true });
    expect(shown()[0]?.cells).toHaveLength(2_500);
  });

  it('keep their own cells when others get results between the requests for their steps', async () => {
    const newest = Array.from({ length: 1_200 }, () => 1);
    const { asked, loader, shown } = serve(newest, 2_500);
    await loader.load({ results: 1, steps: 2_500, complete: false });
    newest[9] = 2;
    newest[1_100] = 2;
    const from = asked.length;
    asked.push = function (...ranges) {
      // Another host gets a result after the first request.
      if (ranges.some(({ from_step }) => from_step === 1)) queueMicrotask(() => newest.fill(3, 0, 5));
      return Array.prototype.push.apply(this, ranges);
    };
    await loader.load({ results: 2, steps: 2_500, complete: false });
    expect(shown().filter(({ cells }) => cells.length !== 2_500)).toEqual([]);
    expect(
      asked.slice(from).map(({ from: first, limit, from_step, after }) => [first, limit, from_step, after]),
    ).toEqual([
      [1, 500, 1, 1],
      ...[1001, 2001].flatMap((step) => [10, 1101].map((number) => [number, 1, step, undefined])),
    ]);
  });

  it('are shown as far as they are loaded when the run has more', async () => {
    const { loader, shown } = serve(
      Array.from({ length: 1_200 }, () => 1),
      60_000,
    );
    expect([1, 100, 60_000, 1_000_000].map(mostHosts)).toEqual([40_000_000, 400_000, 500, 500]);
    await loader.load({ results: 1, steps: 60_000, complete: true });
    expect(shown()).toHaveLength(500);
  });

  it('are requested again after a failure', async () => {
    const hosts: RunHosts = { first: 1, total: 1, hosts: [{ ...none, number: 1, host: 'a', cells: 'o' }] };
    let calls = 0;
    let shown = 0;
    const loader = new HostLoader(
      async () => {
        calls += 1;
        if (calls === 1) throw new Error('away');
        return hosts;
      },
      (found) => {
        shown = found.length;
      },
    );
    const state = { results: 1, steps: 1, complete: false };
    await expect(loader.load(state)).rejects.toThrow('away');
    await loader.load(state);
    expect(shown).toBe(1);
  });
});
