import { Checkbox, Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { errorText } from '../../../api/api-error.ts';
import { hostFactsQuery } from '../../../api/host-queries.ts';
import { LoadError } from '../../../ui/page/load-error.tsx';
import { Bar, EmptyState } from '../../../ui/page/page.tsx';
import { exactTime } from '../../../ui/time/time.ts';
import css from './changes.module.css';
import { factRows } from './fact-rows.ts';
import { FactTable } from './fact-table.tsx';

interface FactsProps {
  project: number;
  host: number;
}

/** The facts of a host now, compared with an earlier version. */
export const HostFacts = ({ project, host }: FactsProps) => {
  const { t } = useTranslation();
  const [chosen, setChosen] = useState<string | null>(null);
  const [onlyDifferent, setOnlyDifferent] = useState(false);
  const query = useQuery(hostFactsQuery(project, host));
  if (query.error) return <LoadError text={errorText(query.error)} retry={() => void query.refetch()} />;
  if (!query.data) return <div aria-busy="true" />;
  const [now, ...earlier] = query.data.versions;
  if (!now) return <EmptyState title={t('hostPage.noFacts')} text={t('hostPage.noFactsText')} />;
  const before = earlier.find(({ since }) => since === chosen) ?? earlier[0];
  const rows = factRows(t, now.facts, before?.facts);
  return (
    <>
      {before === undefined ? null : (
        <Bar>
          <Select
            className={css.choice ?? ''}
            aria-label={t('hostPage.compareWith')}
            data={earlier.map(({ since, time }) => ({ value: since, label: exactTime(time) }))}
            value={before.since}
            allowDeselect={false}
            onChange={setChosen}
          />
          <Checkbox
            label={t('hostPage.onlyDifferent')}
            checked={onlyDifferent}
            onChange={(event) => setOnlyDifferent(event.currentTarget.checked)}
          />
        </Bar>
      )}
      <FactTable rows={onlyDifferent ? rows.filter(({ differs }) => differs) : rows} now={now} before={before} />
    </>
  );
};

/** Facts that the overview shows. */
const SHOWN = 8;

/** The facts that differ from the version before, or the first ones. */
export const LatestFacts = ({ project, host }: FactsProps) => {
  const { t } = useTranslation();
  const { data } = useQuery(hostFactsQuery(project, host));
  const [now, before] = data?.versions ?? [];
  if (!now) return null;
  const rows = factRows(t, now.facts, before?.facts);
  const different = rows.filter(({ differs }) => differs);
  return (
    <section aria-labelledby="host-facts">
      <div className={css.head}>
        <h2 id="host-facts">
          {t('hostPage.facts')}{' '}
          {before ? <small>{t('hostPage.differ', { count: different.length, total: rows.length })}</small> : null}
        </h2>
        <Link
          to="/project/$projectId/hosts/$hostId"
          params={{ projectId: project, hostId: host }}
          search={{ show: 'facts' }}
        >
          {t('hostPage.allFacts')}
        </Link>
      </div>
      <FactTable rows={(before ? different : rows).slice(0, SHOWN)} now={now} before={before} />
    </section>
  );
};
