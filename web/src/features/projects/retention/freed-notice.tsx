import { useDebouncedValue } from '@mantine/hooks';
import type { FreedStorage } from '@signalbox/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { freedStorageQuery } from '../../../api/storage-queries.ts';
import { storageText } from '../../../lang/locale.ts';
import { exactTime } from '../../../ui/time/time.ts';
import css from './freed-notice.module.css';
import { isValidRetention, type RetentionFields, retentionBody } from './retention-values.ts';

/** Delay before an estimate for typed settings is read, in milliseconds. */
const TYPING_MS = 250;

/** What the settings of the form would free, and the settings of the system; each is undefined until it is known. */
export const useFreed = (project: number, fields: RetentionFields) => {
  const settings = JSON.stringify(fields);
  const [typed] = useDebouncedValue(settings, TYPING_MS);
  const isReady = typed === settings && isValidRetention(fields);
  const { data, isPlaceholderData } = useQuery({
    ...freedStorageQuery(project, retentionBody(fields)),
    enabled: isReady,
    placeholderData: keepPreviousData,
  });
  return { freed: isReady && !isPlaceholderData ? data : undefined, system: data?.system };
};

/** What the settings of the form would free, before they are saved. */
export const FreedNotice = ({ freed: data }: { freed: FreedStorage | undefined }) => {
  const { t } = useTranslation();
  if (!data) return <p className={css.notice} role="status" />;
  const text = (): string => {
    const when = data.next_sweep
      ? t('storage.measuredAt', { time: exactTime(data.next_sweep) })
      : t('storage.measuring');
    if (data.measured === null) return `${t('storage.notMeasured')} ${when}`;
    const freed = data.bytes === 0 ? t('storage.freesNothing') : t('storage.frees', { size: storageText(data.bytes) });
    return data.outdated ? `${freed} ${t('storage.outdated')} ${when}` : freed;
  };
  return (
    <p className={css.notice} role="status">
      {text()}
    </p>
  );
};
