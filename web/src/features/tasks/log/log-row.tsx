import { type MouseEvent, memo } from 'react';
import { translate } from '../../../lang/translate.ts';
import { type AnsiColour, ansiPieces } from './ansi.ts';
import type { LogLine } from './line-cache.ts';
import css from './log.module.css';
import { highlightMatches, type MatchedPiece } from './match-highlight.ts';

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

/** The URL of a line without its number: computed once for all rows, because fast scrolling draws thousands. */
const urlBefore = (): string => {
  const { pathname: path, search } = location;
  if (path !== known.path || search !== known.search) {
    const rest = new URLSearchParams(search);
    rest.delete('line');
    known = { path, search, before: `${path}?${rest}${rest.size > 0 ? '&' : ''}line=` };
  }
  return known.before;
};

/** The URL of the page with a highlighted line, for sharing. */
const lineUrl = (line: number): string => `${urlBefore()}${line}`;

/** Called for a chosen line. With Shift, the range is extended to it. */
export type OnLine = (line: number, extend: boolean) => void;

interface LineNumberProps {
  number: number;
  /** Whether Signalbox wrote the line. The marker is in the gutter, where output never appears. */
  isOwn?: boolean;
  onLine: OnLine;
}

/** The line number, which is also a link to the line. */
export const LineNumber = ({ number, isOwn = false, onLine }: LineNumberProps) => {
  const choose = (event: MouseEvent): void => {
    if (event.button !== 0 || event.metaKey || event.ctrlKey) return;
    event.preventDefault();
    if (event.shiftKey) getSelection()?.removeAllRanges();
    onLine(number, event.shiftKey);
  };
  return (
    <a
      className={css.number}
      href={lineUrl(number)}
      onClick={choose}
      tabIndex={-1}
      id={`L${number}`}
      title={isOwn ? translate('log.own') : undefined}
      aria-label={isOwn ? translate('log.ownLine', { number }) : undefined}
    >
      {number}
    </a>
  );
};

export interface LogRowProps {
  number: number;
  /** Undefined while it is loading. */
  line: LogLine | undefined;
  chosen: boolean;
  /** Formats the time of a line; undefined if times are not shown. */
  timeOf: ((at: number) => string) | undefined;
  /** Matches the searched text in the line. */
  matcher: RegExp | undefined;
  /** Whether it is the current match of the search. */
  isAt: boolean;
  /** Whether the line is highlighted as part of a failure. Default: decided by the text of the line. */
  isBad?: boolean | undefined;
  onLine: OnLine;
}

// Prefixes that mark a failure. Other lines keep the colours of the program.
const FAILURE = /^(?:fatal|failed): \[/;

const PieceText = ({ text, colour, bold, isMatch }: MatchedPiece) => {
  if (isMatch) return <mark className={css.found}>{text}</mark>;
  if (colour === undefined && !bold) return text;
  return <span className={`${colour ? COLOURS[colour] : ''} ${bold ? css.bold : ''}`}>{text}</span>;
};

/** One line of the log: its number, its time if shown, and its text in the colours of the program. */
export const LogRow = memo(({ number, line, chosen, timeOf, matcher, isAt, isBad, onLine }: LogRowProps) => {
  const pieces = line === undefined ? [] : ansiPieces(line[1]);
  const failed = isBad ?? FAILURE.test(pieces[0]?.text ?? '');
  const isOwn = line?.[2] !== undefined;
  const classes = [css.line, isOwn ? css.own : '', chosen ? css.chosen : '', failed ? css.bad : '', isAt ? css.at : ''];
  return (
    <div className={classes.join(' ')} data-line={number}>
      <LineNumber number={number} isOwn={isOwn} onLine={onLine} />
      {timeOf ? <span className={css.time}>{line === undefined ? '' : timeOf(line[0])}</span> : null}
      <span className={css.text} data-text={line !== undefined}>
        {(matcher ? highlightMatches(pieces, matcher) : pieces).map((piece, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: pieces of a line never move
          <PieceText key={at} {...piece} />
        ))}
        {'\n'}
      </span>
    </div>
  );
});
