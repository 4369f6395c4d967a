import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button, buttonClass } from '../../ui/button.tsx';
import { Icon, isIconName } from '../../ui/icon.tsx';
import { LanguageSelect } from '../../ui/language-select.tsx';
import { Mark } from '../../ui/mark.tsx';
import { useTitle } from '../../ui/page.tsx';
import { PasswordForm } from './password-form.tsx';
import css from './sign-in.module.css';
import { useSignInOptions } from './use-sign-in-options.ts';

const SignInHelp = lazy(async () => ({ default: (await import('./sign-in-help.tsx')).SignInHelp }));

const Providers = ({ among }: { among: { id: string; name: string; color: string; icon: string }[] }) => (
  <div className={css.providers}>
    {among.map(({ id, name, color, icon }) => (
      <a
        key={id}
        className={`${buttonClass('outline', false, true)} ${css.provider}`}
        href={`api/auth/oidc/${encodeURIComponent(id)}/login`}
      >
        <span className={css.brand} style={color ? { background: color } : undefined}>
          <Icon name={isIconName(icon) ? icon : 'key'} />
        </span>
        {name}
      </a>
    ))}
  </div>
);

/** Signing in, as quiet as it gets. Calls back when a session stands. */
export const SignInPage = ({ onSignedIn }: { onSignedIn: () => void }) => {
  const { t } = useTranslation();
  const [isHelpOpen, setHelpOpen] = useState(false);
  const options = useSignInOptions();
  useTitle(t('signIn.submit'));
  const providers = options?.oidc_providers ?? [];
  const withPassword = options?.login_with_password ?? true;
  return (
    <div className={css.gate}>
      <main className={css.column}>
        <div className={css.logo}>
          <Mark size={40} />
          <h1>{t('product')}</h1>
        </div>
        <p className={css.to}>{t('signIn.to', { host: location.host })}</p>
        {withPassword ? <PasswordForm onSignedIn={onSignedIn} /> : null}
        {withPassword && providers.length > 0 ? <div className={css.or}>{t('signIn.or')}</div> : null}
        <Providers among={providers} />
      </main>
      <footer className={css.bottom}>
        <Button look="quiet" icon="help" onClick={() => setHelpOpen(true)}>
          {t('signIn.help')}
        </Button>
        <LanguageSelect />
      </footer>
      <Suspense>{isHelpOpen ? <SignInHelp onClose={() => setHelpOpen(false)} /> : null}</Suspense>
    </div>
  );
};
