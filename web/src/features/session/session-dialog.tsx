import { useTranslation } from 'react-i18next';
import { Dialog } from '../../ui/dialogs/dialog.tsx';
import { Providers } from './providers.tsx';
import css from './sign-in.module.css';
import { SignInForm } from './sign-in-form.tsx';
import { useSignInOptions } from './use-sign-in-options.ts';

interface SessionDialogProps {
  /** Who was signed in. */
  name: string;
  /** What is open, from its first slash below where the product is served: a provider sends people back there. */
  page: string;
  onSignedIn: () => void;
  /** Leaves what is open behind. */
  onLeave: () => void;
}

/** The session has ended under the page: signing in here loses nothing of what is open. */
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
