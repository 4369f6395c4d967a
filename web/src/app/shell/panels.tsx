import { useTranslation } from 'react-i18next';
import { errorText } from '../../api/api-error.ts';
import { call } from '../../api/call.ts';
import { endSession } from '../../api/session.ts';
import { Alert } from '../../ui/basics/alert.tsx';
import { Button } from '../../ui/basics/button.tsx';
import { Logo } from '../../ui/basics/logo.tsx';
import { StatusIcon } from '../../ui/tasks/status-icon.tsx';
import css from './panels.module.css';

/** Shown while the first data loads. */
export const LoadingPanel = () => {
  const { t } = useTranslation();
  return (
    <div className={css.panel} role="status" aria-label={t('shell.loading')}>
      <StatusIcon colour="active" shape="arc" size={24} />
    </div>
  );
};

const signInAgain = async (): Promise<void> => {
  // The link to sign in must work even when the server no longer knows the session or has an error.
  await call('signOut').catch(() => undefined);
  endSession('left');
};

/** Shown when the first data could not be loaded: the reason, a button to retry and a link to sign in again. */
export const ErrorPanel = ({ error }: { error: unknown }) => {
  const { t } = useTranslation();
  return (
    <main className={css.panel}>
      <div className={css.error}>
        <div className={css.brand}>
          <Logo size={32} />
          <h1>{t('shell.failed')}</h1>
        </div>
        <Alert colour="error">{errorText(error)}</Alert>
        <div className={css.actions}>
          <Button variant="primary" onClick={() => location.reload()}>
            {t('shell.refresh')}
          </Button>
          <Button onClick={() => void signInAgain()}>{t('shell.relogin')}</Button>
        </div>
      </div>
    </main>
  );
};
