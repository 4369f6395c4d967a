import type { AlertTest } from '@signalbox/contract';
import { useTranslation } from 'react-i18next';
import { Alert } from '../basics/alert.tsx';
import { faultText } from './delivery-error.ts';

/** What became of a message that was sent to try a receiver. Always there, so that what comes is read out. */
export const AlertOutcome = ({ result, error }: { result: AlertTest | undefined; error: string | undefined }) => {
  const { t } = useTranslation();
  const failure = error ?? (result?.fault ? faultText(t, result.fault, result.detail) : undefined);
  return (
    <div role="status">
      {failure === undefined ? null : <Alert lamp="error">{failure}</Alert>}
      {failure === undefined && result ? <Alert lamp="ok">{t('alerts.testSent')}</Alert> : null}
    </div>
  );
};
