import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { secondFactorQuery } from '../../api/queries.ts';
import { Button } from '../../ui/basics/button.tsx';
import css from './second-factor.module.css';

/** Actions on the user's own second factor. */
export type SecondFactorStep = 'turn-on' | 'turn-off' | 'codes';

/**
 * The user's own second factor: whether it is on, and the number of recovery codes left. Nothing if the server has it
 * switched off.
 */
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
