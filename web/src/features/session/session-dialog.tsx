import { useTranslation } from 'react-i18next';
import { Dialog } from '../../ui/dialogs/dialog.tsx';
import { Providers } from './providers.tsx';
import css from './sign-in.module.css';
import { SignInForm } from './sign-in-form.tsx';
import { useSignInOptions } from './use-sign-in-options.ts';

interface SessionDialogProps {
  /** The user who was signed in. */
  name: string;
  /** The open page as a path from the base URL: providers return the user to it. */
  page: string;
  onSignedIn: () => void;
  /** Leaves the open page. */
  onLeave: () => void;
}

/** Shown when the session ends while a page is open. Signing in here keeps the page as it is. */
export const SessionDialog = ({ name, page, onSignedIn, onLeave }: SessionDialogProps) => {
  const { t } = useTranslation();
  const options = useSignInOptions();
  const providers = options?.oidc_providers ?? [];
  const withPassword = options?.login_with_password ?? true;
  const others = <Providers among={providers} page={page} />;
  return (
    <Dialog opened onClose={onLeave} title={t('signIn.endedTitle')} width={440}>
      <p className={css.ended}>{t('signIn.endedText')}</p>
      {withPassword ? (
        <SignInForm name={name} onSignedIn={onSignedIn}>
          {providers.length > 0 ? <div className={css.or}>{t('signIn.or')}</div> : null}
          {others}
        </SignInForm>
      ) : (
        others
      )}
    </Dialog>
  );
};
