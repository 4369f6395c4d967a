import { Link, useLocation } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { ConfirmEmailPage } from '../../features/users/confirm-email-page.tsx';
import { PlainBar } from '../shell/plain-bar.tsx';
import css from '../shell/shell.module.css';

/** The token is behind the # of the address, so that it is in no log of a server or proxy. */
export const ConfirmEmailRoute = () => {
  const { t } = useTranslation();
  const token = useLocation({ select: ({ hash }) => hash });
  return (
    <>
      <PlainBar />
      <main className={css.main}>
        <ConfirmEmailPage key={token} token={token}>
          <Link to="/">{t('addressProof.goOn')}</Link>
        </ConfirmEmailPage>
      </main>
    </>
  );
};
