import { useTranslation } from 'react-i18next';
import css from './registrations.module.css';

const COMMAND = `SIGNALBOX_RUNNER_DATA=/var/lib/signalbox-runner \\
bin/signalbox.mjs runner`;

/** Names of this machine that mean another machine there. */
const LOCAL = /^(localhost|.+\.localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/** How to start a runner after its registration, and a warning if its machine cannot reach the address of this page. */
export const StartRegistered = () => {
  const { t } = useTranslation();
  const { hostname, host } = new URL(document.baseURI);
  return (
    <>
      {LOCAL.test(hostname) ? <p className={css.local}>{t('registrations.onlyLocal', { host })}</p> : null}
      <p>{t('registrations.start')}</p>
      <pre className={css.command}>{COMMAND}</pre>
    </>
  );
};
