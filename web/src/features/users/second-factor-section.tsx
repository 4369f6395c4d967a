import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { secondFactorQuery } from '../../api/queries.ts';
import { Button } from '../../ui/basics/button.tsx';
import css from './second-factor.module.css';

/** What can be done about one's second factor. */
export type SecondFactorStep = 'turn-on' | 'turn-off' | 'codes';

/** One's second factor: whether it is on, and how many recovery codes are left. Nothing where it is switched off. */
export const SecondFactorSection = ({ onStep }: { onStep: (step: SecondFactorStep) => void }) => {
  const { t } = useTranslation();
  const { data } = useQuery(secondFactorQuery());
  if (!data || data.mode === 'off') return null;
  return (
    <section className={css.section} aria-label={t('secondFactor.title')}>
      <h3>{t('secondFactor.title')}</h3>
      <p className={css.help}>
        {t(data.active ? 'secondFactor.onText' : 'secondFactor.offText')}{' '}
        {data.active ? t('secondFactor.left', { count: data.recovery_codes_left }) : ''}
      </p>
      <div className={css.buttons}>
        {data.active ? (
          <>
            <Button onClick={() => onStep('codes')}>{t('secondFactor.renew')}</Button>
            <Button onClick={() => onStep('turn-off')}>{t('secondFactor.turnOff')}</Button>
          </>
        ) : (
          <Button onClick={() => onStep('turn-on')}>{t('secondFactor.turnOn')}</Button>
        )}
      </div>
    </section>
  );
};
