import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../basics/button.tsx';
import { Failed } from '../page/load-error.tsx';
import { Bar, EmptyState, PageHeader } from '../page/page.tsx';
import { FilterInput } from './filter-input.tsx';
import type { ListState } from './list-state.ts';
import { NoMatch } from './no-match.tsx';

export interface ListPageProps {
  title: string;
  /** Stands before the title, such as a way back. */
  before?: ReactNode;
  /** Stands beside the button. */
  beside?: ReactNode;
  /** Stands at the end of the line of the filter. */
  pager?: ReactNode;
  /** What the button says that makes a new one; without it there is no button. */
  add: string | undefined;
  onAdd: () => void;
  filter: string;
  /** How many there are before any filter; undefined while they come. */
  count: number | undefined;
  /** How many are shown. */
  shown: number;
  state: ListState;
  onState: (change: ListState) => void;
  /** Why they did not come. */
  error: string | undefined;
  onRetry: () => void;
  emptyTitle: string;
  emptyText: string;
  children: ReactNode;
}

/** A page that is one list: its title, its filter, and what belongs here as long as nothing does. */
export const ListPage = (props: ListPageProps) => {
  const {
    title,
    before,
    beside,
    pager,
    add,
    onAdd,
    filter,
    count,
    shown,
    state,
    onState,
    error,
    onRetry,
    emptyTitle,
    emptyText,
    children,
  } = props;
  const { t } = useTranslation();
  const button = add ? (
    <Button icon="plus" onClick={onAdd}>
      {add}
    </Button>
  ) : null;
  return (
    <>
      <PageHeader title={title} before={before}>
        {beside}
        {count === 0 ? null : button}
      </PageHeader>
      {error === undefined ? null : (
        <Bar>
          <Failed text={error} retry={onRetry} />
        </Bar>
      )}
      {count === 0 ? (
        <EmptyState title={emptyTitle} text={emptyText}>
          {button}
        </EmptyState>
      ) : (
        <>
          <Bar>
            <FilterInput
              label={filter}
              value={state.q ?? ''}
              onChange={(q) => onState({ q: q === '' ? undefined : q })}
            />
            {pager}
          </Bar>
          {children}
          {count !== undefined && shown === 0 ? (
            <NoMatch title={t('list.noMatch')} onClear={() => onState({ q: undefined })} />
          ) : null}
        </>
      )}
    </>
  );
};
