import { useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../ui/basics/button.tsx';
import { StatusIcon } from '../ui/tasks/status-icon.tsx';
import { useLiveState } from './live.tsx';
import css from './live-notice.module.css';
import { useIsOffline } from './network.ts';
import { pageFiles } from './page-files.ts';

/** Warning that the page may be out of date: while the live connection is lost, and after an upgrade of the servers. */
export const LiveNotice = ({ inDialog = false }: { inDialog?: boolean }) => {
  const { t } = useTranslation();
  const state = useLiveState();
  const isOffline = useIsOffline();
  const isOutdated = useSyncExternalStore(pageFiles.subscribe, () => pageFiles.isOutdated);
  const classes = inDialog ? `${css.notice} ${css.inDialog}` : css.notice;
  return (
    <div className={css.notices} role="status" aria-live="polite">
      {isOffline || state === 'lost' ? (
        <div className={classes}>
          <StatusIcon colour="stop" shape="arc" />
          {t(isOffline ? 'shell.offline' : 'shell.liveLost')}
        </div>
      ) : null}
      {isOutdated ? (
        <div className={classes}>
          {t('shell.upgraded')}
          <Button small onClick={() => location.reload()}>
            {t('shell.refresh')}
          </Button>
        </div>
      ) : null}
    </div>
  );
};
