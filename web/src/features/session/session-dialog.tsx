import { useTranslation } from 'react-i18next';
import { Dialog } from '../../ui/dialog.tsx';
import { PasswordForm } from './password-form.tsx';
import css from './sign-in.module.css';

interface SessionDialogProps {
  /** Who was signed in. */
  name: string;
  onSignedIn: () => void;
  /** Leaves what is open behind. */
  onLeave: () => void;
}

/** The session has ended under the page: signing in here loses nothing of what is open. */
export const SessionDialog = ({ name, onSignedIn, onLeave }: SessionDialogProps) => {
  const { t } = useTranslation();
  return (
    <Dialog opened onClose={onLeave} title={t('signIn.endedTitle')} width={440}>
      <p className={css.ended}>{t('signIn.endedText')}</p>
      <PasswordForm name={name} onSignedIn={onSignedIn} />
    </Dialog>
  );
};
