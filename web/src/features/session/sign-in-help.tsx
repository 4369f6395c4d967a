import { useTranslation } from 'react-i18next';
import { Appearance } from '../../ui/appearance.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import css from './sign-in.module.css';

/** Commands are what machines read: they are the same in every language. */
const COMMANDS = [
  { does: 'signInHelp.list', command: 'signalbox user list' },
  { does: 'signInHelp.password', command: 'signalbox user change-by-login --login john --password choose-your-own' },
  { does: 'signInHelp.secondFactor', command: 'signalbox user second-factor reset --login john' },
  {
    does: 'signInHelp.add',
    command: 'signalbox user add --admin --login john --name John --email john@example.com --password choose-your-own',
  },
] as const;

/** What whoever runs the server can do for somebody who cannot get in. */
export const SignInHelp = ({ onClose }: { onClose: () => void }) => {
  const { t } = useTranslation();
  return (
    // The page before all others stands without the library that draws dialogs.
    <Appearance>
      <Dialog opened onClose={onClose} title={t('signInHelp.title')} width={640}>
        <p className="muted">{t('signInHelp.intro')}</p>
        {COMMANDS.map(({ does, command }) => (
          <div key={does} className={css.command}>
            <h3>{t(does)}</h3>
            <pre>
              <code>{command}</code>
            </pre>
          </div>
        ))}
      </Dialog>
    </Appearance>
  );
};
