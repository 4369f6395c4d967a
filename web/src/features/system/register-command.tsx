import { useTranslation } from 'react-i18next';
import { Alert } from '../../ui/basics/alert.tsx';
import { Button } from '../../ui/basics/button.tsx';
import { showToast } from '../../ui/toast/toast-store.ts';
import css from './registrations.module.css';
import { StartRegistered } from './start-registered.tsx';

/** The command that registers a runner. The token is a variable, because other users can see arguments of programs. */
const commandOf = (token: string): string => `SIGNALBOX_REGISTRATION_TOKEN=${token} \\
bin/signalbox.mjs runner register \\
  --url ${new URL('.', document.baseURI).href.replace(/\/$/, '')} \\
  --data /var/lib/signalbox-runner`;

/** The ready command with a registration token, which is shown once. */
export const RegisterCommand = ({ token }: { token: string }) => {
  const { t } = useTranslation();
  const command = commandOf(token);
  const copy = () =>
    navigator.clipboard.writeText(command).then(
      () => showToast('ok', t('registrations.copied')),
      () => showToast('error', t('task.notCopied')),
    );
  return (
    <div className={css.shown}>
      <Alert colour="ok">
        {t('registrations.once')}
        <pre className={css.command}>{command}</pre>
        <Button small icon="copy" onClick={() => void copy()}>
          {t('registrations.copy')}
        </Button>
        <StartRegistered />
      </Alert>
    </div>
  );
};
