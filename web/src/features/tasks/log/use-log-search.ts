import { useCallback, useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import { indexFrom, type LogSearch, stepFrom } from './log-search.ts';
import { matcherFor } from './match-highlight.ts';

/** Time without a key press before the search starts, in milliseconds. */
const TYPING = 200;

export interface LogSearchInput {
  search: LogSearch;
  /** The text in the URL. */
  find: string | undefined;
  onFind: (text: string | undefined) => void;
  /** The line in the URL, from which the search of the text in the URL starts. */
  start: number | undefined;
  /** Scrolls to a line. */
  show: (line: number) => void;
  onLine: (line: number) => void;
}

/** State of the search bar. The URL has the searched text, and the line of the current match. */
export const useLogSearch = ({ search, find, onFind, start, show, onLine }: LogSearchInput) => {
  const state = useSyncExternalStore(search.subscribe, () => search.state);
  const [typed, setTyped] = useState(find ?? state.text);
  const [isOpen, setOpen] = useState(typed !== '');
  const [at, setAt] = useState<number>();
  const top = useRef(1);
  // A log opens at its end, but a text in the URL is searched from the beginning.
  const first = useRef(start ?? (find === undefined ? undefined : 1));
  /** The line from which a new search starts. */
  const origin = useRef<number | undefined>(undefined);

  const goTo = useCallback(
    (line: number | undefined) => {
      if (line === undefined) return;
      origin.current = undefined;
      setAt(line);
      show(line);
      onLine(line);
    },
    [show, onLine],
  );

  const startSearch = useCallback(
    (text: string) => {
      if (text === search.state.text && search.state.error === undefined) return;
      setAt(undefined);
      origin.current = first.current ?? top.current;
      first.current = undefined;
      search.search(text);
      onFind(text === '' ? undefined : text);
    },
    [search, onFind],
  );

  useEffect(() => {
    if (!isOpen) return;
    const timer = setTimeout(() => startSearch(typed), TYPING);
    return () => clearTimeout(timer);
  }, [isOpen, typed, startSearch]);

  useEffect(() => {
    if (origin.current === undefined || state.count === 0) return;
    // The first match at or after the visible lines, else the first one of the log.
    const next = state.lines[indexFrom(state.lines, origin.current)];
    if (next !== undefined || !state.isBusy) goTo(next ?? state.lines[0]);
  }, [state, goTo]);

  const step = (by: 1 | -1): void => {
    if (typed !== state.text) startSearch(typed);
    else goTo(stepFrom(state.lines, at ?? top.current - (by === 1 ? 1 : 0), by));
  };

  const close = (): void => {
    setOpen(false);
    setTyped('');
    setAt(undefined);
    search.search('');
    onFind(undefined);
  };

  return {
    state,
    isOpen,
    open: () => setOpen(true),
    close,
    typed,
    setTyped,
    step,
    at,
    /** Number of the current match among all matches, from 1. */
    position: at === undefined || state.count === 0 ? undefined : indexFrom(state.lines, at) + 1,
    matcher: useMemo(() => (state.text === '' ? undefined : matcherFor(state.text)), [state.text]),
    onTop: useCallback((line: number) => {
      top.current = line;
    }, []),
  };
};

export type LogSearchView = ReturnType<typeof useLogSearch>;
