import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { taskCellQuery } from '../../../api/run-queries.ts';
import { plainText } from '../log/ansi.ts';
import type { LogSource } from '../log/log-source.ts';
import type { HostOutcome, Run } from '../results/run-model.ts';
import type { OpenedCell } from './chosen-cell.ts';
import { positionsOf, type ResultText, readResult } from './result-text.ts';

/** Maximum number of log lines of a result that are read. */
const MAX_LINES = 300;

/** The result of a cell: of the loaded run, or from the server for a long run. */
export const useOutcome = (project: number, task: number, run: Run, { host, step }: OpenedCell) => {
  const { data, error, refetch } = useQuery({
    ...taskCellQuery(project, task, host.number, step.step),
    enabled: run.long !== undefined,
  });
  const own = step.hosts.findLast((outcome) => outcome.host === host.host);
  const outcome: HostOutcome | undefined = own ?? data?.records.at(-1);
  return { outcome, error, retry: () => void refetch() };
};

/** The lines of a result, and their content. */
export interface ShownResult {
  readonly text: ResultText;
  /** Numbers of its log lines; undefined while they are read, and if Ansible printed it in another format. */
  readonly lines: readonly number[] | undefined;
}

/** The log lines of a result: its difference and the result itself, without those of other hosts between them. */
export const useResultText = (task: number, log: LogSource, outcome: HostOutcome | undefined): ShownResult => {
  const line = outcome?.line ?? 0;
  const last = Math.min(outcome?.last_line ?? line, line + MAX_LINES - 1);
  const { data } = useQuery({
    queryKey: ['result lines', task, line, last],
    queryFn: () => log.texts(line, last),
    enabled: line > 0,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
  });
  const { host = '', diff } = outcome ?? {};
  return useMemo(() => {
    const texts = (data ?? []).map(plainText);
    const own = positionsOf(texts, host);
    const text = readResult(own.map((at) => texts[at] ?? ''));
    return {
      // The runner sends a difference with the result. Older ones do not, and a runner cuts a long one.
      text: { ...text, diff: text.diff.length > 0 || diff === undefined ? text.diff : diff.split('\n') },
      lines: own.length > 0 ? own.map((at) => line + at) : undefined,
    };
  }, [data, host, diff, line]);
};
