import type { QueryInput, RouteTable } from '@signalbox/contract';
import type { ApiClient } from '../../tooling/product/api-client.ts';
import { storedBytes } from '../../tooling/product/stored-logs.ts';
import { resultsRepository } from '../line-plugin.ts';
import type { Measure, Row } from '../measure.ts';
import { withProduct } from '../measured-product.ts';
import { forgetPeak, peakMb } from '../process-memory.ts';
import { percentile, shown } from '../statistics.ts';

const HOSTS = 10_000;
const STEPS = 100;
const RESULTS = HOSTS * STEPS;
const CALLS = 200;
const LIMIT_MS = 600_000;

type HostsQuery = QueryInput<RouteTable['listTaskHosts']>;

interface Timed {
  readonly what: string;
  readonly call: (round: number) => Promise<unknown>;
}

/** Makes calls one after another. @returns the duration of each, in milliseconds */
const timesOf = async (call: Timed['call'], rounds: number): Promise<number[]> => {
  const times: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const since = performance.now();
    await call(round);
    times.push(performance.now() - since);
  }
  return times;
};

/** The calls of the page for the results of a run, for other hosts each time. */
const callsOf = (client: ApiClient, projectId: number, taskId: number): readonly Timed[] => {
  const params = { project_id: projectId, task_id: taskId };
  const hosts = (query: HostsQuery) => client.call('listTaskHosts', { params, query });
  const startHost = (round: number) => String(1 + ((round * 7919) % (HOSTS - 100))) as never;
  const wide = { limit: 100, step_limit: 60 } as never as HostsQuery;
  return [
    { what: 'summary', call: () => client.call('getTaskSummary', { params }) },
    { what: '100 steps', call: () => client.call('listTaskSteps', { params }) },
    { what: '100 hosts × 60 cells', call: (round) => hosts({ ...wide, from: startHost(round) }) },
    { what: '100 hosts × 60 cells by a name', call: (round) => hosts({ ...wide, name: `host-${round % 100}` }) },
    { what: '100 failures', call: () => client.call('listTaskFailures', { params }) },
    {
      what: 'one cell',
      call: (round) =>
        client.call('listTaskHostResults', {
          params: { ...params, host_number: 1 + ((round * 7919) % HOSTS) },
          query: { step: String(1 + (round % STEPS)) as never },
        }),
    },
    {
      what: 'all 100 results of a host',
      call: (round) =>
        client.call('listTaskHostResults', { params: { ...params, host_number: 1 + ((round * 7919) % HOSTS) } }),
    },
  ];
};

const row = (what: string, result: string, aim = '–', isMet: boolean | undefined = undefined): Row => ({
  what,
  result,
  baseline: '–',
  ratio: '–',
  aim,
  isMet,
});

const timeRow = (what: string, times: readonly number[]): Row =>
  row(`Results: ${what}`, `p50 ${shown(percentile(times, 0.5), 1)} ms, p99 ${shown(percentile(times, 0.99), 1)} ms`);

export const results: Measure = {
  name: 'results',
  title: 'Results of 10,000 hosts',
  run: async () => {
    const rows = await withProduct(resultsRepository(HOSTS, STEPS), async ({ product, project, feed, client }) => {
      const template = await project.template('noisy.yml');
      const pids = [product.serverPid, product.runnerPid ?? 0] as const;
      for (const pid of pids) forgetPeak(pid);
      const { id } = await project.run(template);
      const started = performance.now();
      const { at } = await feed.success(id, LIMIT_MS);
      const seconds = (at - started) / 1000;
      const peaks = pids.map((pid) => peakMb(pid));
      const params = { project_id: project.params.project_id, task_id: id };
      const first = performance.now();
      const summary = await client.call('getTaskSummary', { params });
      const indexed = performance.now() - first;
      if (summary.results < RESULTS || summary.failures !== HOSTS / 100) {
        throw new Error(`${summary.results} of ${RESULTS} results are stored, with ${summary.failures} failures.`);
      }
      const bytes = storedBytes(product, id);
      const each = (stream: string) => (bytes.get(stream) ?? 0) / RESULTS;
      await product.stopServer();
      await product.startServer();
      const again = await product.client();
      const cold = await timesOf(() => again.call('getTaskSummary', { params }), 1);
      const measured: Row[] = [];
      for (const { what, call } of callsOf(again, project.params.project_id, id)) {
        measured.push(timeRow(what, await timesOf(call, CALLS)));
      }
      const peak = peakMb(product.serverPid);
      return [
        row(`Whole run of ${shown(RESULTS)} results with as many lines`, `${shown(seconds, 1)} s`),
        row(
          'Bytes stored for each result: records, index, lines',
          `${shown(each('results'), 1)}, ${shown(each('index'), 1)}, ${shown(each('output'), 1)}`,
          '< 30 for records and index',
          each('results') + each('index') < 30,
        ),
        row(
          'Peak memory meanwhile, server / runner',
          `${shown(peaks[0] ?? 0)} / ${shown(peaks[1] ?? 0)} MB`,
          '< 500 MB each',
          peaks.every((most) => most < 500),
        ),
        row('First request after the end, which reads all records', `${shown(indexed)} ms`),
        row('First request to a new server, which reads the stored index', `${shown(cold[0] ?? 0)} ms`),
        ...measured,
        row('Peak memory of a server that answers them', `${shown(peak)} MB`),
      ];
    });
    return {
      rows,
      how: `A callback plugin of the repository writes the results of ${STEPS} steps on ${shown(HOSTS)} hosts in the format of the callback plugin of Signalbox: one event and one line with a marker for each result, with a failure on every hundredth host. They are processed like those of any run. Then the server is restarted, and one client makes the calls one after another, ${CALLS} times each, always for other hosts. The first request builds or reads the index of the run. All later requests find it in memory.`,
    };
  },
};
