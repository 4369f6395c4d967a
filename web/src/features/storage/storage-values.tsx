import type { ProjectStorage } from '@signalbox/contract';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { numberText, storageText } from '../../lang/locale.ts';
import { exactTime } from '../../ui/time/time.ts';
import { Ago } from '../../ui/time/times.tsx';
import css from './storage.module.css';

const PLACEMENTS = {
  database: 'storage.inDatabase',
  folder: 'storage.inFolder',
  bucket: 'storage.inBucket',
} as const;

type Totals = Omit<ProjectStorage, 'templates' | 'total'>;

/** Smaller sizes would be shown as 0 kB. */
const SHOWN_BYTES = 50;

/** The text of a growth, which can be negative. */
export const growthText = (bytes: number): string => {
  if (Math.abs(bytes) < SHOWN_BYTES) return '0';
  return bytes < 0 ? `−${storageText(-bytes)}` : `+${storageText(bytes)}`;
};

/** What all templates or projects use together. */
export const StorageValues = ({ totals, children }: { totals: Totals; children?: ReactNode }) => {
  const { t } = useTranslation();
  const { logs, log_bytes, result_bytes, host_bytes, growth_per_day, logs_in, measured, next_sweep } = totals;
  const values: readonly (readonly [string, ReactNode])[] = [
    [t('storage.logs'), `${storageText(log_bytes)} (${numberText(logs)})`],
    [t('storage.results'), storageText(result_bytes)],
    ...(host_bytes === null ? [] : [[t('storage.hosts'), storageText(host_bytes)] as const]),
    [t('storage.growth'), growthText(growth_per_day)],
    [t('storage.logsIn'), t(PLACEMENTS[logs_in])],
    ...(measured === null ? [] : [[t('storage.measured'), <Ago key="measured" at={measured} />] as const]),
    [t('storage.nextSweep'), next_sweep ? exactTime(next_sweep) : t('storage.sweepsNow')],
  ];
  return (
    <dl className={css.values}>
      {values.map(([term, value]) => (
        <div key={term}>
          <dt>{term}</dt>
          <dd>{value}</dd>
        </div>
      ))}
      {children}
    </dl>
  );
};
