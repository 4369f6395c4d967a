import { type MouseEvent, memo } from 'react';
import { say } from '../../../lang/translate.ts';
import { type AnsiColour, ansiPieces } from './ansi.ts';
import type { LogLine } from './line-cache.ts';
import css from './log.module.css';
import { type FoundPiece, withFound } from './match-highlight.ts';

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

let known = { path: '', search: '', before: '' };

/** All of an address but the line's number: made once for all rows, of which a quick scroll draws thousands. */
const addressBefore = (): string => {
  const { pathname: path, search } = location;
  if (path !== known.path || search !== known.search) {
    const rest = new URLSearchParams(search);
    rest.delete('line');
    known = { path, search, before: `${path}?${rest}${rest.size > 0 ? '&' : ''}line=` };
  }
  return known.before;
};

/** The address of the page with a line marked, to be sent to a colleague. */
const lineAddress = (line: number): string => `${addressBefore()}${line}`;

interface LineNumberProps {
  number: number;
  /** Whether Signalbox wrote the line. The marker is in the gutter, where output never appears. */
  isOwn?: boolean;
  onLine: (line: number) => void;
}

/** The number of a line, which is also its link. */
export const LineNumber = ({ number, isOwn = false, onLine }: LineNumberProps) => {
  const mark = (event: MouseEvent): void => {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    onLine(number);
  };
  return (
    <a
      className={css.number}
      href={lineAddress(number)}
      onClick={mark}
      tabIndex={-1}
      id={`L${number}`}
      title={isOwn ? say('log.own') : undefined}
      aria-label={isOwn ? say('log.ownLine', { number }) : undefined}
    >
      {number}
    </a>
  );
};

export interface LogRowProps {
  number: number;
  /** Undefined while it is fetched. */
  line: LogLine | undefined;
  chosen: boolean;
  /** Says when a line came; undefined where times are not shown. */
  timeOf: ((at: number) => string) | undefined;
  /** Finds in the line what is looked for. */
  finder: RegExp | undefined;
  /** Whether it is the line that the search stands at. */
  isAt: boolean;
  /** Whether the line is highlighted as part of a failure. Default: decided by the text of the line. */
  isBad?: boolean | undefined;
  onLine: (line: number) => void;
}

// What the program itself says of a failure; the rest of the colours are the program's own.
const FAILURE = /^(?:fatal|failed): \[/;

const PieceText = ({ text, colour, bold, isFound }: FoundPiece) => {
  if (isFound) return <mark className={css.found}>{text}</mark>;
  if (colour === undefined && !bold) return text;
  return <span className={`${colour ? COLOURS[colour] : ''} ${bold ? css.bold : ''}`}>{text}</span>;
};

/** One line of the log: its number, on request its time, and its text in the colours of the program. */
export const LogRow = memo(({ number, line, chosen, timeOf, finder, isAt, isBad, onLine }: LogRowProps) => {
  const pieces = line === undefined ? [] : ansiPieces(line[1]);
  const failed = isBad ?? FAILURE.test(pieces[0]?.text ?? '');
  const isOwn = line?.[2] !== undefined;
  const classes = [css.line, isOwn ? css.own : '', chosen ? css.chosen : '', failed ? css.bad : '', isAt ? css.at : ''];
  return (
    <div className={classes.join(' ')} data-line={number}>
      <LineNumber number={number} isOwn={isOwn} onLine={onLine} />
      {timeOf ? <span className={css.time}>{line === undefined ? '' : timeOf(line[0])}</span> : null}
      <span className={css.text} data-text={line !== undefined}>
        {(finder ? withFound(pieces, finder) : pieces).map((piece, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: pieces of a line never move
          <PieceText key={at} {...piece} />
        ))}
        {'\n'}
      </span>
    </div>
  );
});
