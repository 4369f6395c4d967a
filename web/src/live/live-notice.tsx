import { useTranslation } from 'react-i18next';
import { StatusIcon } from '../ui/tasks/status-icon.tsx';
import { useLiveState } from './live.tsx';
import css from './live-notice.module.css';

/** Warning that the page may be out of date, shown while the live connection is lost. */
export const LiveNotice = ({ inDialog = false }: { inDialog?: boolean }) => {
  const { t } = useTranslation();
  const state = useLiveState();
  return (
    <div role="status" aria-live="polite">
      {state === 'lost' ? (
        <div className={inDialog ? `${css.notice} ${css.inDialog}` : css.notice}>
          <StatusIcon colour="stop" shape="arc" />
          {t('shell.liveLost')}
        </div>
      ) : null}
    </div>
  );
};
