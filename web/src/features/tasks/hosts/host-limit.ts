import { MAX_LIMIT } from 'virtual:routes';
import type { RunHost } from '@signalbox/contract';
import { call } from '../../../api/call.ts';
import { limitOf } from '../../../ui/tasks/limit-of.ts';
import { badHosts, type Run } from '../results/run-model.ts';

/** Number of hosts in one request. */
const PAGE = 200;

type Params = { readonly project_id: number; readonly task_id: number };

/** Names of hosts of a long run, failed ones first, as long as they are meant and fit into a limit. */
const longRunHosts = async (params: Params, isMeant: (host: RunHost) => boolean): Promise<string[]> => {
  const names: string[] = [];
  let length = 0;
  for (let from = 1; ; from += PAGE) {
    const query = { from, limit: PAGE, from_step: 1, step_limit: 1 };
    const { hosts, total } = await call('listTaskHosts', { params, query });
    for (const host of hosts) {
      if (!isMeant(host)) return names;
      names.push(host.host);
      length += host.host.length + 1;
    }
    if (hosts.length < PAGE || from + PAGE > total || length > MAX_LIMIT + 1) return names;
  }
};

/** The limit that runs a task again on the hosts that failed or were unreachable. */
export const failedLimit = async (params: Params, run: Run): Promise<string | undefined> =>
  limitOf(
    run.long ? await longRunHosts(params, ({ failures, unreachable }) => failures + unreachable > 0) : badHosts(run),
  );
