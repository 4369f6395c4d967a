import { useEffect, useMemo, useState } from 'react';
import { call } from '../../../api/call.ts';
import type { Run } from '../results/run-model.ts';
import { HostLoader, type HostsRange } from './host-loader.ts';
import { hostsOfRun, type MatrixHost } from './matrix-host.ts';

/** The hosts of a run: from the loaded results, or from the server for a long run. */
export const useMatrixHosts = (project_id: number, task_id: number, run: Run) => {
  const [loaded, setLoaded] = useState<readonly MatrixHost[]>();
  const [error, setError] = useState<unknown>();
  const [round, setRound] = useState(0);
  const [loader] = useState(
    () =>
      new HostLoader(
        (range: HostsRange) =>
          call('listTaskHosts', { params: { project_id, task_id }, query: { ...range, sort: 'number' } }),
        setLoaded,
      ),
  );
  const { long } = run;
  const [results, steps, complete] = [long?.results, long?.steps ?? 0, long?.complete ?? false];
  // biome-ignore lint/correctness/useExhaustiveDependencies: another round tries again
  useEffect(() => {
    if (results === undefined) return;
    loader.load({ results, steps, complete }).then(() => setError(undefined), setError);
  }, [loader, results, steps, complete, round]);
  const own = useMemo(() => (run.long ? undefined : hostsOfRun(run)), [run]);
  return { hosts: own ?? loaded, error, retry: () => setRound(round + 1) };
};
