import { useTranslation } from 'react-i18next';
import { Dialog } from '../../ui/dialogs/dialog.tsx';
import { Appearance } from '../../ui/theme/appearance.tsx';
import css from './sign-in.module.css';

/** Commands, which are not translated. */
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
  /** What a user types before a command on the machine of the server. */
  command: string;
  onClose: () => void;
}

/** Shows the commands with which an administrator restores the access of a user. */
export const SignInHelp = ({ command, onClose }: SignInHelpProps) => {
  const { t } = useTranslation();
  return (
    // A plain dialog element: the sign-in page does not load the component library.
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
