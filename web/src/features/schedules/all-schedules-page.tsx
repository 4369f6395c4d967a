import type { NamedSchedule } from '@signalbox/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { errorText } from '../../api/api-error.ts';
import { allSchedulesQuery } from '../../api/queries.ts';
import { ListPage } from '../../ui/lists/list-page.tsx';
import { arrange, type ListState } from '../../ui/lists/list-state.ts';
import { ListTable, type ShownColumn } from '../../ui/lists/list-table.tsx';
import { whenText } from '../../ui/time/when-text.ts';
import { NextRun, useScheduleName, When } from './schedule-row.tsx';
import css from './schedules.module.css';

interface AllSchedulesPageProps {
  back: ReactNode;
  state: ListState;
  onState: (change: ListState) => void;
}

/** The schedules of all projects of the user, the next one first. */
export const AllSchedulesPage = ({ back, state, onState }: AllSchedulesPageProps) => {
  const { t } = useTranslation();
  const query = useQuery(allSchedulesQuery());
  const nameOf = useScheduleName();
  const columns: ShownColumn<NamedSchedule>[] = [
    {
      id: 'next',
      title: 'schedules.next',
      text: ({ next_start }) => next_start ?? '',
      order: ({ next_start }) => (next_start === null ? Number.MAX_VALUE : Date.parse(next_start)),
      cell: (row) => (
        <span className={css.lines}>
          <NextRun schedule={row} />
        </span>
      ),
    },
    {
      id: 'name',
      title: 'column.name',
      text: nameOf,
      width: '22%',
      cell: (row) => (
        <Link to="/project/$projectId/schedules" params={{ projectId: row.project_id }} search={{ edit: row.id }}>
          {nameOf(row)}
        </Link>
      ),
    },
    {
      id: 'when',
      title: 'schedules.when',
      text: (row) => whenText(t, row),
      width: '22%',
      cell: (row) => (
        <span className={css.lines}>
          <When schedule={row} />
        </span>
      ),
    },
    { id: 'template', title: 'template.title', text: ({ template_name }) => template_name, width: '18%' },
    { id: 'project', title: 'shell.project', text: ({ project_name }) => project_name, width: '16%' },
  ];
  const rows = query.data && arrange(query.data, columns, state);
  return (
    <ListPage
      title={t('schedules.allTitle')}
      before={back}
      filter={t('schedules.filter')}
      count={query.data?.length}
      shown={rows?.length ?? 0}
      state={state}
      onState={onState}
      error={query.error ? errorText(query.error) : undefined}
      onRetry={() => void query.refetch()}
      emptyTitle={t('schedules.emptyTitle')}
      emptyText={t('schedules.emptyText')}
    >
      <ListTable
        label={t('schedules.allTitle')}
        columns={columns}
        rows={rows}
        keyOf={({ id }) => id}
        state={state}
        onState={onState}
      />
    </ListPage>
  );
};
