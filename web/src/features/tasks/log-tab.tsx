import type { TaskStatus } from '@signalbox/contract';
import { useCallback, useEffect, useMemo, useState } from 'react';
import { createPortal } from 'react-dom';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../../ui/button.tsx';
import type { LogSource } from './log/log-source.ts';
import { LogWindow } from './log/log-window.tsx';
import type { Run } from './results/run-model.ts';
import { logSections } from './results/sections.ts';

export interface LogTabProps {
  source: LogSource;
  run: Run;
  status: TaskStatus;
  line: number | undefined;
  onLine: (line: number) => void;
}

const useFolded = (ids: readonly string[]) => {
  const [folded, setFolded] = useState<ReadonlySet<string>>(new Set());
  const toggle = useCallback(
    (id: string) =>
      setFolded((before) => {
        const after = new Set(before);
        if (!after.delete(id)) after.add(id);
        return after;
      }),
    [],
  );
  const toggleAll = () => setFolded((before) => (before.size > 0 ? new Set() : new Set(ids)));
  return { folded, toggle, toggleAll };
};

/** The log with its tools, which stand at the right of the tabs. */
export const LogTab = ({ source, run, status, line, onLine }: LogTabProps) => {
  const { t } = useTranslation();
  const [showTimes, setShowTimes] = useState(false);
  const [tools, setTools] = useState<Element | null>(null);
  const sections = useMemo(() => logSections(run, status, (key, values) => t(key, values)), [run, status, t]);
  const steps = useMemo(() => sections.filter(({ kind }) => kind === 'step').map(({ id }) => id), [sections]);
  const { folded, toggle, toggleAll } = useFolded(steps);
  useEffect(() => setTools(document.getElementById('task-tools')), []);
  return (
    <>
      {tools
        ? createPortal(
            <>
              <IconButton
                icon="clock"
                label={t('log.times')}
                aria-pressed={showTimes}
                onClick={() => setShowTimes(!showTimes)}
              />
              <IconButton
                icon="fold"
                label={t('log.foldAll')}
                aria-pressed={folded.size > 0}
                disabled={steps.length === 0}
                onClick={toggleAll}
              />
            </>,
            tools,
          )
        : null}
      <LogWindow
        source={source}
        sections={sections}
        folded={folded}
        onFold={toggle}
        line={line}
        onLine={onLine}
        showTimes={showTimes}
      />
    </>
  );
};
