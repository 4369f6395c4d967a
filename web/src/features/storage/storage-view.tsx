import type { InstallationStorage, ProjectStorage } from '@signalbox/contract';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { errorText } from '../../api/api-error.ts';
import { LoadError } from '../../ui/page/load-error.tsx';
import { EmptyState } from '../../ui/page/page.tsx';
import { exactTime } from '../../ui/time/time.ts';
import css from './storage.module.css';
import { type StorageRow, StorageTable } from './storage-table.tsx';
import { StorageValues } from './storage-values.tsx';

interface StorageViewProps {
  query: {
    readonly data: Omit<ProjectStorage, 'templates'> | Omit<InstallationStorage, 'projects'> | undefined;
    readonly error: Error | null;
    readonly refetch: () => Promise<unknown>;
  };
  /** Heading of the column with the names. */
  label: string;
  rows: readonly StorageRow[];
  /** Further values. */
  children?: ReactNode;
}

/** The sizes of templates or projects, or that they were not measured yet and when they will be. */
export const StorageView = ({ query, label, rows, children }: StorageViewProps) => {
  const { t } = useTranslation();
  const { data, error, refetch } = query;
  if (!data) return error ? <LoadError text={errorText(error)} retry={() => void refetch()} /> : null;
  const next = data.next_sweep ? exactTime(data.next_sweep) : null;
  const when = next === null ? t('storage.measuring') : t('storage.measuredAt', { time: next });
  if (data.measured === null) return <EmptyState title={t('storage.notMeasured')} text={when} />;
  return (
    <div className={css.page}>
      {data.outdated ? (
        <p className={css.outdated}>
          {t('storage.outdated')} {when}
        </p>
      ) : null}
      <StorageValues totals={data}>{children}</StorageValues>
      <StorageTable label={label} total={data.total} rows={rows} />
    </div>
  );
};
