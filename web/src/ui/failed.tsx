import { useTranslation } from 'react-i18next';
import { errorText } from '../api/api-error.ts';
import { Alert } from './alert.tsx';
import { Button } from './button.tsx';

/** What failed and a way to try again, in the place where the answer would have been. */
export const Failed = ({ error, retry }: { error: unknown; retry: () => void }) => {
  const { t } = useTranslation();
  return (
    <Alert
      lamp="error"
      action={
        <Button small onClick={retry}>
          {t('action.retry')}
        </Button>
      }
    >
      {errorText(error)}
    </Alert>
  );
};
