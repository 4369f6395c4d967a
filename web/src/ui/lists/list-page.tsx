import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../basics/button.tsx';
import { LoadError } from '../page/load-error.tsx';
import { Bar, EmptyState, PageHeader } from '../page/page.tsx';
import { FilterInput } from './filter-input.tsx';
import type { ListState } from './list-state.ts';
import { NoMatch } from './no-match.tsx';

export interface ListPageProps {
  title: string;
  /** Content before the title, such as a back link. */
  before?: ReactNode;
  /** Content next to the add button. */
  extra?: ReactNode;
  /** Content at the end of the row of the filter. */
  pager?: ReactNode;
  /** Label of the add button; undefined for no button. */
  add?: string | undefined;
  onAdd?: () => void;
  filter: string;
  /** Number of rows before filtering; undefined while they load. */
  count: number | undefined;
  /** Number of visible rows. */
  shown: number;
  state: ListState;
  onState: (change: ListState) => void;
  /** Why the rows could not be loaded. */
  error: string | undefined;
  onRetry: () => void;
  emptyTitle: string;
  emptyText: string;
  children: ReactNode;
}

/** A page with one list: title, filter, and an empty state. */
export const ListPage = (props: ListPageProps) => {
  const {
    title,
    before,
    extra,
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
        {extra}
        {count === 0 ? null : button}
      </PageHeader>
      {error === undefined ? null : (
        <Bar>
          <LoadError text={error} retry={onRetry} />
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
