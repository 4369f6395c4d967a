import type { System } from '@signalbox/contract';
import { useTranslation } from 'react-i18next';
import { numberText, storageText } from '../../lang/locale.ts';
import { Values } from './values.tsx';

/** The log store in numbers. */
export const LogStoreValues = ({ store }: { store: NonNullable<System['log_store']> }) => {
  const { t } = useTranslation();
  const { address, answers, moved, bytes, unmoved, waiting, removing, orphans } = store;
  return (
    <Values
      values={[
        [t('systemPage.logStoreAddress'), address, 'long'],
        [t('systemPage.logStoreState'), t(answers ? 'systemPage.logStoreAnswers' : 'systemPage.logStoreSilent')],
        [t('systemPage.logsMoved'), `${numberText(moved)} (${storageText(bytes)})`],
        [t('systemPage.logsUnmoved'), numberText(unmoved)],
        [t('systemPage.logsDue'), numberText(waiting)],
        [t('systemPage.logsRemoving'), numberText(removing)],
        [t('systemPage.orphans'), numberText(orphans)],
      ]}
    />
  );
};
