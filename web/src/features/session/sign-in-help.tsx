import { useTranslation } from 'react-i18next';
import { Appearance } from '../../ui/appearance.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import css from './sign-in.module.css';

/** Commands are the same in every language. */
const COMMANDS = [
  { does: 'signInHelp.list', args: 'user list' },
  { does: 'signInHelp.password', args: 'user change-by-login --login john --password choose-your-own' },
  { does: 'signInHelp.secondFactor', args: 'user second-factor reset --login john' },
  {
    does: 'signInHelp.add',
    args: 'user add --admin --login john --name John --email john@example.com --password choose-your-own',
  },
] as const;

interface SignInHelpProps {
  /** How commands are entered on the server's installation. */
  command: string;
  onClose: () => void;
}

/** Commands with which an administrator lets a user in again. */
export const SignInHelp = ({ command, onClose }: SignInHelpProps) => {
  const { t } = useTranslation();
  return (
    // The page before all others stands without the library that draws dialogs.
    <Appearance>
      <Dialog opened onClose={onClose} title={t('signInHelp.title')} width={640}>
        <p className="muted">{t('signInHelp.intro')}</p>
        {COMMANDS.map(({ does, args }) => (
          <div key={does} className={css.command}>
            <h3>{t(does)}</h3>
            <pre>
              <code>{`${command} ${args}`}</code>
            </pre>
          </div>
        ))}
      </Dialog>
    </Appearance>
  );
};
