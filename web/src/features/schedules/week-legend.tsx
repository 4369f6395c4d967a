import { useTranslation } from 'react-i18next';
import { statusStyle } from '../../ui/tasks/status.ts';
import css from './week-legend.module.css';

/** What the colours and the hatching of the week mean. */
export const WeekLegend = ({ hasFreezes, hasPaused }: { hasFreezes: boolean; hasPaused: boolean }) => {
  const { t } = useTranslation();
  return (
    <ul className={css.legend} aria-label={t('schedules.legend')}>
      <li className={css.ok}>{t(statusStyle('success').labelKey)}</li>
      <li className={css.error}>{t(statusStyle('error').labelKey)}</li>
      <li className={css.notStarted}>{t('schedules.didNotStart')}</li>
      <li className={css.planned}>{t('schedules.planned')}</li>
      <li className={css.overlap}>{t('schedules.overlapping')}</li>
      {hasPaused ? <li className={css.paused}>{t('schedule.paused')}</li> : null}
      {hasFreezes ? (
        <>
          <li className={css.held}>{t('schedules.held')}</li>
          <li className={css.skipped}>{t('schedules.skipped')}</li>
          <li className={css.frozen}>{t('freeze.window')}</li>
        </>
      ) : null}
    </ul>
  );
};
