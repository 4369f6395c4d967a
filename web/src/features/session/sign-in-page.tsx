import { Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Alert } from '../../ui/basics/alert.tsx';
import { Button } from '../../ui/basics/button.tsx';
import { Logo } from '../../ui/basics/logo.tsx';
import { lazyPart } from '../../ui/browser/lazy-part.ts';
import { LanguageSelect } from '../../ui/forms/language-select.tsx';
import { useTitle } from '../../ui/page/page.tsx';
import { Providers } from './providers.tsx';
import css from './sign-in.module.css';
import { signInErrorKey } from './sign-in-error.ts';
import { SignInForm } from './sign-in-form.tsx';
import { useSignInOptions } from './use-sign-in-options.ts';

const SignInHelp = lazyPart(() => import('./sign-in-help.tsx'), 'SignInHelp');

interface SignInPageProps {
  onSignedIn: () => void;
  /** The requested page as a path from the base URL. */
  page?: string;
  /** Error code of a provider sign-in from the URL. */
  errorCode?: string | null;
}

/** The sign-in page. Calls back when a session exists. */
export const SignInPage = ({ onSignedIn, page = '/', errorCode = null }: SignInPageProps) => {
  const { t } = useTranslation();
  const [isHelpOpen, setHelpOpen] = useState(false);
  const options = useSignInOptions();
  useTitle(t('signIn.submit'));
  const providers = options?.oidc_providers ?? [];
  const errorKey = signInErrorKey(errorCode);
  const withPassword = options?.login_with_password ?? true;
  const others = <Providers among={providers} page={page} />;
  return (
    <div className={css.gate}>
      <main className={css.column}>
        <div className={css.logo}>
          <Logo size={40} />
          <h1>{t('product')}</h1>
        </div>
        <p className={css.to}>{t('signIn.to', { host: location.host })}</p>
        {errorKey === undefined ? null : <Alert colour="error">{t(errorKey)}</Alert>}
        {withPassword ? (
          <SignInForm onSignedIn={onSignedIn}>
            {providers.length > 0 ? <div className={css.or}>{t('signIn.or')}</div> : null}
            {others}
          </SignInForm>
        ) : (
          others
        )}
      </main>
      <footer className={css.bottom}>
        <Button variant="quiet" icon="help" onClick={() => setHelpOpen(true)}>
          {t('signIn.help')}
        </Button>
        <LanguageSelect />
      </footer>
      <Suspense>
        {isHelpOpen ? (
          <SignInHelp command={options?.command ?? 'signalbox'} onClose={() => setHelpOpen(false)} />
        ) : null}
      </Suspense>
    </div>
  );
};
