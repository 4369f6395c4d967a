import { type ClipboardEvent, useCallback, useEffect, useMemo, useRef, useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { errorText } from '../../../api/api-error.ts';
import { numberText } from '../../../lang/locale.ts';
import { Button } from '../../../ui/basics/button.tsx';
import { LoadError } from '../../../ui/page/load-error.tsx';
import { type LineAddress, type LineRange, lineAddress } from '../../../ui/tasks/line-range.ts';
import { plainText } from './ansi.ts';
import { copiedText } from './copied-text.ts';
import { newLines } from './follow.ts';
import css from './log.module.css';
import { layoutLog, type Row } from './log-layout.ts';
import { LogRow, type OnLine } from './log-row.tsx';
import { type ScrollTarget, useLogScroll, useViewSize } from './log-scroll.ts';
import type { LogSource } from './log-source.ts';
import { scaleFor } from './scroll-scale.ts';
import { SectionRow, type SectionView } from './section-row.tsx';
import { useLineHeights } from './use-line-heights.ts';

/** Distance drawn above and below the visible part, in pixels, so that fast scrolling shows text. */
const OVERSCAN = 240;

export interface LogWindowProps {
  source: LogSource;
  sections: readonly SectionView[];
  folded: ReadonlySet<string>;
  onFold: (id: string) => void;
  /** Copies the lines of a play or a step. */
  onCopy: (id: string) => void;
  /** The highlighted lines, which are shown first instead of the end. */
  chosen: LineRange | undefined;
  onLine: (line: LineAddress) => void;
  /** A line to scroll to. */
  target: ScrollTarget | undefined;
  /** Whether long lines wrap. */
  isWrapped: boolean;
  /** Formats the time of a line; undefined if times are not shown. */
  timeOf: ((at: number) => string) | undefined;
  /** Matches the searched text, and the line of the current match. */
  matcher: RegExp | undefined;
  at: number | undefined;
  /** Called with the first visible line. */
  onTop: (line: number) => void;
}

interface RowsProps extends Omit<LogWindowProps, 'onLine'> {
  rows: readonly Row[];
  onLine: OnLine;
}

const Rows = ({ rows, source, sections, folded, onFold, onCopy, chosen, onLine, timeOf, matcher, at }: RowsProps) => {
  const byId = useMemo(() => new Map(sections.map((section) => [section.id, section])), [sections]);
  const isChosen = (line: number) => chosen !== undefined && line >= chosen.first && line <= chosen.last;
  return rows.map((row) => {
    if (row.kind === 'line') {
      return (
        <LogRow
          key={row.line}
          number={row.line}
          line={source.line(row.line)}
          chosen={isChosen(row.line)}
          timeOf={timeOf}
          matcher={matcher}
          isAt={row.line === at}
          onLine={onLine}
        />
      );
    }
    const section = byId.get(row.section.id);
    return section ? (
      <SectionRow
        key={section.id}
        section={section}
        folded={folded.has(section.id)}
        onFold={onFold}
        onCopy={onCopy}
        onLine={onLine}
        chosen={isChosen(row.line)}
        isAt={row.line === at}
      />
    ) : null;
  });
};

/** A window onto a log of any length. It draws only visible lines and follows the end until the user scrolls up. */
export const LogWindow = (props: LogWindowProps) => {
  const { source, sections, folded, chosen, onLine, target, isWrapped, timeOf, onTop } = props;
  const { t } = useTranslation();
  const box = useRef<HTMLElement>(null);
  const drawn = useRef<HTMLDivElement>(null);
  const state = useSyncExternalStore(source.subscribe, () => source.state);
  const { width, height: view } = useViewSize(box);
  const { heights, version } = useLineHeights(
    drawn,
    isWrapped,
    `${width} ${timeOf !== undefined} ${sections.length > 0}`,
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: the version changes when heights change
  const layout = useMemo(
    () => layoutLog(state.total, sections, folded, heights),
    [state.total, sections, folded, heights, version],
  );
  const scale = useMemo(() => scaleFor(layout.height, view), [layout.height, view]);
  const { total } = state;
  const { top, follow, onScroll, toEnd, skipScroll } = useLogScroll({
    box,
    layout,
    scale,
    viewHeight: view,
    lineCount: total,
    line: chosen?.first,
    target,
  });
  const rows = layout.rows(Math.max(0, top - OVERSCAN), top + view + OVERSCAN);
  const first = rows[0]?.line ?? 1;
  const last = rows.at(-1)?.line ?? 0;
  useEffect(() => {
    // Requested again after each change: a block may have been removed from the cache meanwhile.
    if (state.phase === 'ready' && state.version >= 0) source.request(first, last);
  }, [source, first, last, state.phase, state.version]);
  const seen = rows.find((row) => row.top >= top)?.line ?? last;
  useEffect(() => onTop(seen), [onTop, seen]);
  const choose = useCallback(
    (number: number, extend: boolean) => {
      const from = extend && chosen ? chosen.first : number;
      skipScroll(Math.min(from, number));
      onLine(lineAddress(from, number));
    },
    [skipScroll, onLine, chosen],
  );
  const copy = (event: ClipboardEvent): void => {
    const range = getSelection()?.rangeCount ? getSelection()?.getRangeAt(0) : undefined;
    if (!range || range.collapsed || !drawn.current) return;
    const lineText = (number: number) => plainText(source.line(number)?.[1] ?? '');
    event.clipboardData.setData(
      'text/plain',
      copiedText(drawn.current.querySelectorAll('[data-line]'), range, lineText),
    );
    event.preventDefault();
  };
  const fresh = newLines(follow, state.total);
  if (state.phase === 'failed') {
    return (
      <div className={css.failed}>
        <LoadError text={errorText(state.error)} retry={() => void source.openEnd()} />
      </div>
    );
  }
  return (
    <div className={css.log}>
      {state.missing > 0 ? (
        <p className={css.incomplete} role="alert">
          {t('log.incomplete', { count: state.missing, number: numberText(state.missing) })}
        </p>
      ) : null}
      <section
        ref={box}
        className={`${css.window} ${sections.length > 0 ? css.withSections : ''} ${isWrapped ? css.wrapped : ''}`}
        style={{ '--view-width': `${width}px` } as Record<string, string>}
        onScroll={onScroll}
        onCopy={copy}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard
        tabIndex={0}
        aria-label={t('log.label')}
        aria-busy={state.phase === 'loading'}
        data-total={state.total}
        data-sealed={state.complete}
      >
        <div className={css.canvas} style={{ height: scale.height }}>
          <div
            ref={drawn}
            className={css.rows}
            style={{ transform: `translateY(${scale.toElement(top) - (top - (rows[0]?.top ?? 0))}px)` }}
          >
            <Rows {...props} rows={rows} onLine={choose} />
          </div>
        </div>
      </section>
      {state.phase === 'ready' && state.total === 0 ? <p className={css.none}>{t('log.empty')}</p> : null}
      {follow.following || state.total === 0 ? null : (
        <div className={css.pill}>
          <Button variant="primary" icon="tail" onClick={toEnd}>
            {fresh > 0 ? t('log.newLines', { count: fresh, number: numberText(fresh) }) : t('log.toEnd')}
          </Button>
        </div>
      )}
    </div>
  );
};
