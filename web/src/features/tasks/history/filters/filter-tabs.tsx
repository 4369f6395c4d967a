import type { SavedFilter } from '@signalbox/contract';
import { useLinkProps } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { compareNames } from '../../../../lang/locale.ts';
import { Tabs } from '../../../../ui/page/page.tsx';
import css from '../history.module.css';
import type { HistoryState } from '../history-state.ts';
import { NO_FILTER, stateOf } from './filter-state.ts';

interface TabProps {
  project: number;
  search: HistoryState;
  isCurrent: boolean;
  title?: string;
  children: ReactNode;
}

/** A link to the history with a filter. It stays current while the user narrows the list further. */
const Tab = ({ project, search, isCurrent, title, children }: TabProps) => {
  const link = useLinkProps({ to: '/project/$projectId/history', params: { projectId: project }, search });
  return (
    <a {...link} title={title} aria-current={isCurrent ? 'page' : undefined}>
      {children}
    </a>
  );
};

interface FilterTabsProps {
  project: number;
  filters: readonly SavedFilter[];
  current: SavedFilter | undefined;
  /** The order of the list, which a tab keeps. */
  sort: string | undefined;
}

/** A tab for all tasks and one for each saved filter; private ones come first. */
export const FilterTabs = ({ project, filters, current, sort }: FilterTabsProps) => {
  const { t } = useTranslation();
  const ordered = filters.toSorted((a, b) => Number(a.shared) - Number(b.shared) || compareNames(a.name, b.name));
  return (
    <div className={css.tabs}>
      <Tabs label={t('savedFilters.tabs')}>
        <Tab project={project} search={{ ...NO_FILTER, sort }} isCurrent={current === undefined}>
          {t('savedFilters.all')}
        </Tab>
        {ordered.map((filter) => (
          <Tab
            key={filter.id}
            project={project}
            search={{ ...stateOf(filter), sort }}
            isCurrent={filter.id === current?.id}
            title={`${filter.name} (${t(filter.shared ? 'savedFilters.shared' : 'savedFilters.own')})`}
          >
            <span className={`cut ${css.tabName}`}>{filter.name}</span>
          </Tab>
        ))}
      </Tabs>
    </div>
  );
};
