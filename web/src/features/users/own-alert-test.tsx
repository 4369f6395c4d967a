import { useTranslation } from 'react-i18next';
import { call } from '../../api/call.ts';
import { useAlertTest } from '../../api/use-alert-test.ts';
import { AlertOutcome } from '../../ui/alert-outcome.tsx';
import { Button } from '../../ui/button.tsx';
import css from './users.module.css';

/** Tries the own e-mail address, as it is saved. */
export const OwnAlertTest = () => {
  const { t } = useTranslation();
  const { send, isPending, result, error } = useAlertTest(() => call('testOwnAlert'));
  return (
    <div className={css.password}>
      <Button icon="send" busy={isPending} onClick={() => send()}>
        {t('alerts.testOwn')}
      </Button>
      <AlertOutcome result={result} error={error} />
    </div>
  );
};
