import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Alert } from '../../ui/basics/alert.tsx';
import { Button } from '../../ui/basics/button.tsx';
import { Mark } from '../../ui/basics/logo.tsx';
import { LanguageSelect } from '../../ui/forms/language-select.tsx';
import { useTitle } from '../../ui/page/page.tsx';
import { Providers } from './providers.tsx';
import css from './sign-in.module.css';
import { faultSentence } from './sign-in-error.ts';
import { SignInForm } from './sign-in-form.tsx';
import { useSignInOptions } from './use-sign-in-options.ts';

const SignInHelp = lazy(async () => ({ default: (await import('./sign-in-help.tsx')).SignInHelp }));

interface SignInPageProps {
  onSignedIn: () => void;
  /** What was asked for, from its first slash below where the product is served. */
  page?: string;
  /** Why a sign-in with a provider failed, as the address says it. */
  fault?: string | null;
}

/** Signing in, as quiet as it gets. Calls back when a session stands. */
export const SignInPage = ({ onSignedIn, page = '/', fault = null }: SignInPageProps) => {
  const { t } = useTranslation();
  const [isHelpOpen, setHelpOpen] = useState(false);
  const options = useSignInOptions();
  useTitle(t('signIn.submit'));
  const providers = options?.oidc_providers ?? [];
  const sentence = faultSentence(fault);
  const withPassword = options?.login_with_password ?? true;
  const others = <Providers among={providers} page={page} />;
  return (
    <div className={css.gate}>
      <main className={css.column}>
        <div className={css.logo}>
          <Mark size={40} />
          <h1>{t('product')}</h1>
        </div>
        <p className={css.to}>{t('signIn.to', { host: location.host })}</p>
        {sentence === undefined ? null : <Alert lamp="error">{t(sentence)}</Alert>}
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
        <Button look="quiet" icon="help" onClick={() => setHelpOpen(true)}>
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
