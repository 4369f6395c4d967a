import type { AlertTest } from '@signalbox/contract';
import { useTranslation } from 'react-i18next';
import { Alert } from '../basics/alert.tsx';
import { deliveryErrorText } from './delivery-error.ts';

/** The result of a test alert. Always rendered, so that screen readers announce the result. */
export const AlertTestResult = ({ result, error }: { result: AlertTest | undefined; error: string | undefined }) => {
  const { t } = useTranslation();
  const failure = error ?? (result?.fault ? deliveryErrorText(t, result.fault, result.detail) : undefined);
  return (
    <div role="status">
      {failure === undefined ? null : <Alert colour="error">{failure}</Alert>}
      {failure === undefined && result ? <Alert colour="ok">{t('alerts.testSent')}</Alert> : null}
    </div>
  );
};
