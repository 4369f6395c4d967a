import type { AppFeatures, Task } from '@signalbox/contract';
import { type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { usePageApp } from '../../apps/page-apps.ts';
import { numberText } from '../../lang/locale.ts';
import type { LineAddress } from '../../ui/tasks/line-range.ts';
import { badHostCount, hostCount, type Run } from './results/run-model.ts';
import css from './task-tabs.module.css';

export type TaskTab = 'log' | 'summary' | 'hosts' | 'timeline' | 'compare' | 'details';

/** The tabs of a task in their order: the summary of failures comes first, and hosts need an app with host results. */
export const tabOrder = (failed: boolean, { hostResults }: Pick<AppFeatures, 'hostResults'>): readonly TaskTab[] => [
  ...(failed ? (['summary'] as const) : []),
  'log',
  ...(hostResults ? (['hosts', 'timeline'] as const) : []),
  'compare',
  'details',
];

/**
 * A failed task opens with the reason, and one that waits for an approval with what it will run. Any other task, and a link
 * to a log line, opens with the log.
 */
export const firstTab = (task: Task | undefined, line: LineAddress | undefined, find?: string): TaskTab => {
  if (line !== undefined || find !== undefined) return 'log';
  if (task?.approval_state === 'pending') return 'details';
  return task?.status === 'error' ? 'summary' : 'log';
};

const LABELS: Readonly<Record<TaskTab, string>> = {
  log: 'task.tabLog',
  summary: 'task.tabSummary',
  hosts: 'task.tabHosts',
  timeline: 'task.tabTimeline',
  compare: 'task.tabCompare',
  details: 'task.tabDetails',
};

export interface TaskTabsProps {
  tab: TaskTab;
  run: Run;
  task: Task | undefined;
  onTab: (tab: TaskTab) => void;
  children: ReactNode;
}

/** Scrolls the row of tabs, but not the page, until a tab is completely visible. */
const scrollToTab = (list: Element, tab: Element): void => {
  const [row, box] = [list.getBoundingClientRect(), tab.getBoundingClientRect()];
  if (box.left < row.left) list.scrollLeft -= row.left - box.left;
  else if (box.right > row.right) list.scrollLeft += box.right - row.right;
};

/** The tabs of a task. Arrow keys move between them. */
export const TaskTabs = ({ tab, run, task, onTab, children }: TaskTabsProps) => {
  const { t, i18n } = useTranslation();
  const { features } = usePageApp(task?.app);
  const tabs = tabOrder(task?.status === 'error' || badHostCount(run) > 0, features);
  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    const to = tabs[(tabs.indexOf(tab) + step + tabs.length) % tabs.length];
    if (step === 0 || to === undefined) return;
    event.preventDefault();
    onTab(to);
    event.currentTarget.querySelector<HTMLElement>(`[data-tab="${to}"]`)?.focus();
  };
  const list = useRef<HTMLDivElement>(null);
  const hasHosts = hostCount(run) > 0;
  // On a phone the chosen tab can be outside of the visible part, also after results added a tab or a number before it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: these change the widths of the tabs
  useEffect(() => {
    const chosen = list.current?.querySelector(`[data-tab="${tab}"]`);
    if (list.current && chosen) scrollToTab(list.current, chosen);
  }, [tab, tabs.length, hasHosts, i18n.language]);
  return (
    <>
      <div className={css.tabs}>
        <div ref={list} role="tablist" aria-label={t('task.parts')} className={css.tablist} onKeyDown={onKeyDown}>
          {tabs.map((name) => (
            <button
              key={name}
              type="button"
              role="tab"
              id={`task-tab-${name}`}
              data-tab={name}
              aria-selected={name === tab}
              aria-controls="task-panel"
              tabIndex={name === tab ? 0 : -1}
              onClick={() => onTab(name)}
            >
              {t(LABELS[name])}
              {name === 'hosts' && hasHosts ? <small>{numberText(hostCount(run))}</small> : null}
            </button>
          ))}
        </div>
        <div id="task-tools" className={css.tabTools} />
      </div>
      <div role="tabpanel" id="task-panel" aria-labelledby={`task-tab-${tab}`} className={css.panel}>
        {children}
      </div>
    </>
  );
};
