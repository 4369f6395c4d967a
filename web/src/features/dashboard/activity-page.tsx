import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { errorText } from '../../api/api-error.ts';
import { eventsQuery } from '../../api/queries.ts';
import { eventText } from '../../lang/event-texts.ts';
import { FilterInput } from '../../ui/lists/filter-input.tsx';
import { arrange, type PagedState } from '../../ui/lists/list-state.ts';
import { ListTable, type ShownColumn } from '../../ui/lists/list-table.tsx';
import { NoMatch } from '../../ui/lists/no-match.tsx';
import { Pager } from '../../ui/lists/pager.tsx';
import { LoadError } from '../../ui/page/load-error.tsx';
import { Bar, EmptyState, PageHeader } from '../../ui/page/page.tsx';
import { Ago } from '../../ui/time/times.tsx';

const PAGE_SIZE = 20;

interface ActivityPageProps {
  project: number;
  tabs: ReactNode;
  state: PagedState;
  onState: (change: PagedState) => void;
}

/** The activity of a project as a list of texts. */
export const ActivityPage = ({ project, tabs, state, onState }: ActivityPageProps) => {
  const { t } = useTranslation();
  const query = useQuery(eventsQuery(project));
  type Row = NonNullable<typeof query.data>[number];
  const columns = [
    {
      id: 'time',
      title: 'activity.time',
      text: ({ created }: Row) => created,
      // Default: newest first.
      order: ({ id }: Row) => -id,
      isDescending: true,
      cell: ({ created }: Row) => <Ago at={created} />,
    },
    {
      id: 'user',
      title: 'column.user',
      text: ({ username, token_name }: Row) =>
        token_name === '' ? username || t('activity.system') : t('by.token', { user: username, token: token_name }),
      width: '22%',
    },
    {
      id: 'description',
      title: 'activity.description',
      text: eventText,
      width: '60%',
      wraps: true,
    },
  ] satisfies ShownColumn<Row>[];
  const rows = query.data && arrange(query.data, columns, state);
  const at = Math.min((state.page ?? 1) - 1, Math.max(0, Math.ceil((rows?.length ?? 0) / PAGE_SIZE) - 1));
  return (
    <>
      <PageHeader title={t('history.dashboard')} />
      {tabs}
      {query.error ? (
        <Bar>
          <LoadError text={errorText(query.error)} retry={() => void query.refetch()} />
        </Bar>
      ) : null}
      {query.data?.length === 0 ? (
        <EmptyState title={t('activity.emptyTitle')} text={t('activity.emptyText')} />
      ) : (
        <>
          <Bar>
            <FilterInput
              label={t('activity.filter')}
              value={state.q ?? ''}
              onChange={(q) => onState({ q: q === '' ? undefined : q, page: undefined })}
            />
            <Pager
              page={at}
              size={PAGE_SIZE}
              count={rows?.length ?? 0}
              more={false}
              onPage={(page) => onState({ page: page === 0 ? undefined : page + 1 })}
            />
          </Bar>
          <ListTable
            label={t('activity.title')}
            columns={columns}
            rows={rows?.slice(at * PAGE_SIZE, (at + 1) * PAGE_SIZE)}
            keyOf={({ id }) => id}
            state={state}
            onState={(change) => onState({ ...change, page: undefined })}
          />
          {rows?.length === 0 ? (
            <NoMatch title={t('list.noMatch')} onClear={() => onState({ q: undefined, page: undefined })} />
          ) : null}
        </>
      )}
    </>
  );
};
