import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call } from '../../api/call.ts';
import { infoQuery } from '../../api/queries.ts';
import { useAlertTest } from '../../api/use-alert-test.ts';
import { AlertTestResult } from '../../ui/alert-test/alert-test-result.tsx';
import { Button } from '../../ui/basics/button.tsx';
import css from './users.module.css';

/** Sends a test to the user's own saved email address. Shows nothing on a server that can't send email. */
export const OwnAlertTest = () => {
  const { t } = useTranslation();
  const { send, isPending, result, error } = useAlertTest(() => call('testOwnAlert'));
  const { data: info } = useQuery(infoQuery());
  if (!info?.alert_channels.includes('email')) return null;
  return (
    <div className={css.password}>
      <Button icon="send" busy={isPending} onClick={() => send()}>
        {t('alerts.testOwn')}
      </Button>
      <AlertTestResult result={result} error={error} />
    </div>
  );
};
