import { type MouseEvent, memo } from 'react';
import { clockTime } from '../../../ui/time.ts';
import { type AnsiColour, ansiPieces } from './ansi.ts';
import type { LogLine } from './line-cache.ts';
import css from './log.module.css';

const COLOURS: Readonly<Record<AnsiColour, string | undefined>> = {
  black: css.black,
  red: css.red,
  green: css.green,
  yellow: css.yellow,
  blue: css.blue,
  magenta: css.magenta,
  cyan: css.cyan,
  white: css.white,
  dim: css.dim,
};

/** The address of the page with a line marked, to be sent to a colleague. */
const lineAddress = (line: number): string => {
  const search = new URLSearchParams(location.search);
  search.set('line', String(line));
  return `${location.pathname}?${search}`;
};

/** The number of a line, which is also its link. */
export const LineNumber = ({ number, onLine }: { number: number; onLine: (line: number) => void }) => {
  const mark = (event: MouseEvent): void => {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    onLine(number);
  };
  return (
    <a className={css.number} href={lineAddress(number)} onClick={mark} tabIndex={-1} id={`L${number}`}>
      {number}
    </a>
  );
};

export interface LogRowProps {
  number: number;
  /** Undefined while it is fetched. */
  line: LogLine | undefined;
  chosen: boolean;
  showTime: boolean;
  onLine: (line: number) => void;
}

// What the program itself says of a failure; the rest of the colours are the program's own.
const FAILURE = /^(?:fatal|failed): \[/;

/** One line of the log: its number, on request its time, and its text in the colours of the program. */
export const LogRow = memo(({ number, line, chosen, showTime, onLine }: LogRowProps) => {
  const pieces = line === undefined ? [] : ansiPieces(line[1]);
  const failed = FAILURE.test(pieces[0]?.text ?? '');
  return (
    <div className={`${css.line} ${chosen ? css.chosen : ''} ${failed ? css.bad : ''}`}>
      <LineNumber number={number} onLine={onLine} />
      {showTime ? <span className={css.time}>{line === undefined ? '' : clockTime(line[0])}</span> : null}
      <span className={css.text}>
        {pieces.map(({ text, colour, bold }, at) =>
          colour === undefined && !bold ? (
            text
          ) : (
            // biome-ignore lint/suspicious/noArrayIndexKey: pieces of a line never move
            <span key={at} className={`${colour ? COLOURS[colour] : ''} ${bold ? css.bold : ''}`}>
              {text}
            </span>
          ),
        )}
        {'\n'}
      </span>
    </div>
  );
});
