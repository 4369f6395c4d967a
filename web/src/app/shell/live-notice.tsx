import { useTranslation } from 'react-i18next';
import { useLiveState } from '../../live/live.tsx';
import { Lamp } from '../../ui/lamp.tsx';
import css from './shell.module.css';

/** Says that what is shown may be old, as long as the live connection is lost. */
export const LiveNotice = () => {
  const { t } = useTranslation();
  const state = useLiveState();
  return (
    <div role="status" aria-live="polite">
      {state === 'lost' ? (
        <div className={css.notice}>
          <Lamp colour="stop" shape="arc" />
          {t('shell.liveLost')}
        </div>
      ) : null}
    </div>
  );
};
