import { useTranslation } from 'react-i18next';
import { call } from '../../../api/call.ts';
import { useAlertTest } from '../../../api/use-alert-test.ts';
import { AlertTestResult } from '../../../ui/alert-test/alert-test-result.tsx';
import { Button } from '../../../ui/basics/button.tsx';
import css from './alerts.module.css';

/** Sends a test to the saved Telegram chat of a project. */
export const ChatTest = ({ project, isSaved }: { project: number; isSaved: boolean }) => {
  const { t } = useTranslation();
  const { send, isPending, result, error } = useAlertTest(() =>
    call('testAlertChat', { params: { project_id: project } }),
  );
  return (
    <div className={css.test}>
      <Button icon="send" busy={isPending} disabled={!isSaved} onClick={() => send()}>
        {t('alerts.testChat')}
      </Button>
      <AlertTestResult result={result} error={error} />
    </div>
  );
};
