import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { isSignedIn } from '../../api/session.ts';
import { ApiDocsPage } from '../../features/api-docs/api-docs-page.tsx';
import { Logo } from '../../ui/basics/logo.tsx';
import css from '../shell/shell.module.css';
import { ThemeSwitch } from '../shell/theme-switch.tsx';

/** The API page, which is available to signed-in users and to everyone else. */
export const ApiDocsRoute = () => {
  const { t } = useTranslation();
  return (
    <>
      <header className={css.plain}>
        <div className={css.brand}>
          <Logo />
          <Link to="/">{t('product')}</Link>
        </div>
        <div className={css.plainUser}>
          {isSignedIn() ? null : <Link to="/auth/login">{t('signIn.submit')}</Link>}
          <ThemeSwitch />
        </div>
      </header>
      <ApiDocsPage />
    </>
  );
};
