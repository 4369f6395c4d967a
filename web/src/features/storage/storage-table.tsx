import type { TemplateStorage } from '@signalbox/contract';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { numberText, storageText } from '../../lang/locale.ts';
import css from './storage.module.css';
import { growthText } from './storage-values.tsx';

export interface StorageRow
  extends Pick<TemplateStorage, 'log_bytes' | 'result_bytes' | 'growth_per_day' | 'logs' | 'tasks'> {
  readonly key: number;
  /** A link to the template or project. */
  readonly name: ReactNode;
  /** Null if it was not measured yet. */
  readonly measured?: string | null;
  /** How long its logs are kept. */
  readonly kept?: string;
}

interface StorageTableProps {
  readonly label: string;
  readonly rows: readonly StorageRow[];
  /** Number of rows that exist. */
  readonly total: number;
}

/** Templates or projects with their sizes, the largest first. */
export const StorageTable = ({ label, rows, total }: StorageTableProps) => {
  const { t } = useTranslation();
  const hasKept = rows.some(({ kept }) => kept !== undefined);
  return (
    <>
      <table className={css.table}>
        <thead>
          <tr>
            <th scope="col">{label}</th>
            <th scope="col">{t('storage.size')}</th>
            <th scope="col">{t('storage.growth')}</th>
            <th scope="col">{t('storage.logs')}</th>
            <th scope="col">{t('storage.results')}</th>
            {hasKept ? <th scope="col">{t('storage.kept')}</th> : null}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ key, name, measured, log_bytes, result_bytes, growth_per_day, logs, kept }) => (
            <tr key={key}>
              <th scope="row">{name}</th>
              {measured === null ? (
                <td colSpan={4}>
                  <small>{t('storage.notMeasured')}</small>
                </td>
              ) : (
                <>
                  <td>{storageText(log_bytes + result_bytes)}</td>
                  <td>{growthText(growth_per_day)}</td>
                  <td>
                    {storageText(log_bytes)} <small>({numberText(logs)})</small>
                  </td>
                  <td>{storageText(result_bytes)}</td>
                </>
              )}
              {hasKept ? <td>{kept}</td> : null}
            </tr>
          ))}
        </tbody>
      </table>
      {total > rows.length ? (
        <p className={css.more}>
          {t('storage.largest', { number: numberText(rows.length), total: numberText(total) })}
        </p>
      ) : null}
    </>
  );
};
