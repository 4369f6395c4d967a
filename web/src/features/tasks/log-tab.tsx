import type { TaskStatus } from '@signalbox/contract';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { useTranslation } from 'react-i18next';
import { storage } from '../../ui/browser/storage.ts';
import { type LineAddress, lineRange } from '../../ui/tasks/line-range.ts';
import { copySection } from './log/copy-section.ts';
import css from './log/log.module.css';
import type { ScrollTarget } from './log/log-scroll.ts';
import type { LogSearch } from './log/log-search.ts';
import { LogSearchBar } from './log/log-search-bar.tsx';
import type { LogSource } from './log/log-source.ts';
import { nextLogTimes, readLogTimes, timeFormatter } from './log/log-times.ts';
import { LogTools } from './log/log-tools.tsx';
import { LogWindow } from './log/log-window.tsx';
import { useFolded } from './log/use-folded.ts';
import { useLogKeys } from './log/use-log-keys.ts';
import { useLogSearch } from './log/use-log-search.ts';
import type { Run } from './results/run-model.ts';
import { logSections } from './results/sections.ts';

export interface LogTabProps {
  source: LogSource;
  search: LogSearch;
  run: Run;
  status: TaskStatus;
  /** When the task started. */
  start: string | null;
  line: LineAddress | undefined;
  onLine: (line: LineAddress) => void;
  /** The searched text in the URL. */
  find: string | undefined;
  onFind: (text: string | undefined) => void;
  /** Finds the line where the task first failed; undefined if nothing failed. */
  firstError: (() => Promise<number>) | undefined;
}

/** The display settings of the log, which the browser stores. */
const useLogSettings = (start: string | null) => {
  const [isWrapped, setWrapped] = useState(storage.logWrap);
  const [times, setTimes] = useState(() => readLogTimes(storage.logTimes()));
  return {
    isWrapped,
    times,
    timeOf: useMemo(() => timeFormatter(times, start), [times, start]),
    toggleWrap: () => {
      storage.setLogWrap(!isWrapped);
      setWrapped(!isWrapped);
    },
    nextTimes: () => {
      const next = nextLogTimes(times);
      storage.setLogTimes(next);
      setTimes(next);
    },
  };
};

/** The log with its search. Its tools are on the right of the tabs. */
export const LogTab = ({ source, search, run, status, start, firstError, ...address }: LogTabProps) => {
  const { line, onLine, find, onFind } = address;
  const { t } = useTranslation();
  const panel = useRef<HTMLDivElement>(null);
  const [tools, setTools] = useState<Element | null>(null);
  const [target, setTarget] = useState<ScrollTarget>();
  const settings = useLogSettings(start);
  const sections = useMemo(() => logSections(run, status, (key, values) => t(key, values)), [run, status, t]);
  const { folded, toggle, toggleAll, reveal, canFold } = useFolded(sections);
  const show = useCallback(
    (to: number) => {
      reveal(to);
      setTarget({ line: to });
    },
    [reveal],
  );
  const chosen = useMemo(() => (line === undefined ? undefined : lineRange(line)), [line]);
  // A link to a range of lines stays as it is while the match is in the range.
  const toMatch = (match: number): void => {
    if (!chosen || match < chosen.first || match > chosen.last) onLine(match);
  };
  const view = useLogSearch({ search, find, onFind, start: chosen?.first, show, onLine: toMatch });
  const copy = useCallback((id: string) => void copySection(source, sections, id), [source, sections]);
  useEffect(() => setTools(document.getElementById('task-tools')), []);
  const focusLog = () => panel.current?.querySelector<HTMLElement>('section')?.focus();
  const openSearch = (): void => {
    if (view.isOpen) panel.current?.querySelector('input')?.select();
    else view.open();
  };
  const closeSearch = (): void => {
    view.close();
    focusLog();
  };
  const scrollTo = (where: 'start' | 'end'): void => {
    const box = panel.current?.querySelector<HTMLElement>('section');
    if (!box) return;
    box.focus({ preventScroll: true });
    box.scrollTop = where === 'start' ? 0 : box.scrollHeight;
  };
  useLogKeys(panel, {
    search: openSearch,
    step: view.isOpen ? view.step : undefined,
    scrollTo,
  });
  const toFirstError = async (): Promise<void> => {
    if (!firstError) return;
    const to = await firstError();
    show(to);
    onLine(to);
  };
  return (
    <div ref={panel} className={css.tab}>
      {tools
        ? createPortal(
            <LogTools
              isSearching={view.isOpen}
              onSearch={() => (view.isOpen ? closeSearch() : openSearch())}
              onFirstError={firstError ? () => void toFirstError() : undefined}
              isWrapped={settings.isWrapped}
              onWrap={settings.toggleWrap}
              times={settings.times}
              onTimes={settings.nextTimes}
              isFolded={folded.size > 0}
              canFold={canFold}
              onFold={toggleAll}
            />,
            tools,
          )
        : null}
      {view.isOpen ? <LogSearchBar view={view} onClose={closeSearch} /> : null}
      <LogWindow
        source={source}
        sections={sections}
        folded={folded}
        onFold={toggle}
        onCopy={copy}
        chosen={chosen}
        onLine={onLine}
        target={target}
        isWrapped={settings.isWrapped}
        timeOf={settings.timeOf}
        matcher={view.matcher}
        at={view.at}
        onTop={view.onTop}
      />
    </div>
  );
};
