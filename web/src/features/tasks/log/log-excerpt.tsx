import { useEffect, useSyncExternalStore } from 'react';
import css from '../summary.module.css';
import rows from './log.module.css';
import { LogRow } from './log-row.tsx';
import type { LogSource } from './log-source.ts';

export interface LogExcerptProps {
  log: LogSource;
  /** First and last line to show; lines that the log does not have are left out. */
  from: number;
  to: number;
  /** Numbers of the lines between them that are shown. Default: all. */
  only?: readonly number[] | undefined;
  /** First and last of the lines that are highlighted. */
  marked: readonly [number, number];
  onLine: (line: number) => void;
}

/** Shows some lines of the log outside the log view. */
export const LogExcerpt = ({ log, from: wanted, to: last, only, marked, onLine }: LogExcerptProps) => {
  const state = useSyncExternalStore(log.subscribe, () => log.state);
  const from = Math.max(1, wanted);
  const to = Math.min(state.total, last);
  useEffect(() => {
    if (state.version >= 0) log.request(from, to);
  }, [log, from, to, state.version]);
  if (to < from) return null;
  const numbers = only ?? Array.from({ length: to - from + 1 }, (_, at) => from + at);
  return (
    <div className={`${css.around} ${rows.wrapped}`}>
      {numbers.map((number) => (
        <LogRow
          key={number}
          number={number}
          line={log.line(number)}
          chosen={false}
          isBad={number >= marked[0] && number <= marked[1]}
          timeOf={undefined}
          matcher={undefined}
          isAt={false}
          onLine={onLine}
        />
      ))}
    </div>
  );
};
