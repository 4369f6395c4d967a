import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { errorText } from '../../../api/api-error.ts';
import { HOST_CHANGES_PAGE, hostChangesQuery } from '../../../api/host-queries.ts';
import { Pager } from '../../../ui/lists/pager.tsx';
import { LoadError } from '../../../ui/page/load-error.tsx';
import { Bar, EmptyState } from '../../../ui/page/page.tsx';
import { ChangeItem } from './change-item.tsx';
import css from './changes.module.css';

interface ChangesProps {
  project: number;
  host: number;
}

/** What the last runs changed on a host, with the differences of runs that show them. */
export const HostChanges = ({ project, host }: ChangesProps) => {
  const { t } = useTranslation();
  const [page, setPage] = useState(0);
  const query = useQuery(hostChangesQuery(project, host, page));
  const { changes = [], total = 0 } = query.data ?? {};
  if (query.error) return <LoadError text={errorText(query.error)} retry={() => void query.refetch()} />;
  if (query.isSuccess && total === 0)
    return <EmptyState title={t('hostPage.noChanges')} text={t('hostPage.noChangesText')} />;
  return (
    <>
      <Bar>
        <span className="muted">{t('hostPage.keptChanges')}</span>
        <Pager page={page} size={HOST_CHANGES_PAGE} count={total} more={false} onPage={setPage} />
      </Bar>
      <ul className={css.list} aria-busy={query.isPending}>
        {changes.map((change, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a change has no identity but its position
          <ChangeItem key={`${change.time}-${change.line}-${at}`} change={change} />
        ))}
      </ul>
    </>
  );
};

/** Changes that the overview shows. */
const LATEST = 5;

/** The latest changes of a host. */
export const LatestChanges = ({ project, host }: ChangesProps) => {
  const { t } = useTranslation();
  const { data } = useQuery(hostChangesQuery(project, host, 0));
  if (!data || data.total === 0) return null;
  const first = data.changes.findIndex(({ diff }) => diff !== '');
  return (
    <section aria-labelledby="host-changes">
      <div className={css.head}>
        <h2 id="host-changes">
          {t('hostPage.changedHere')} <small>{data.total}</small>
        </h2>
        <Link
          to="/project/$projectId/hosts/$hostId"
          params={{ projectId: project, hostId: host }}
          search={{ show: 'changes' }}
        >
          {t('hostPage.allChanges')}
        </Link>
      </div>
      <ul className={css.list}>
        {data.changes.slice(0, LATEST).map((change, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a change has no identity but its position
          <ChangeItem key={`${change.time}-${change.line}-${at}`} change={change} open={at === first} />
        ))}
      </ul>
    </section>
  );
};
