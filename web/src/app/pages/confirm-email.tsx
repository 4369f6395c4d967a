import { Link, useLocation } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { ConfirmEmailPage } from '../../features/users/confirm-email-page.tsx';
import { PlainBar } from '../shell/plain-bar.tsx';
import css from '../shell/shell.module.css';

/**
 * The route of a confirmation link. The token comes after the `#`, so that it is not in the log of a server or proxy.
 */
export const ConfirmEmailRoute = () => {
  const { t } = useTranslation();
  const token = useLocation({ select: ({ hash }) => hash });
  return (
    <>
      <PlainBar />
      <main className={css.main}>
        <ConfirmEmailPage key={token} token={token}>
          <Link to="/">{t('emailConfirmation.goOn')}</Link>
        </ConfirmEmailPage>
      </main>
    </>
  );
};
