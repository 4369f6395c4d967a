import { useTranslation } from 'react-i18next';
import { Alert } from '../basics/alert.tsx';
import { Button } from '../basics/button.tsx';

/** What failed and a way to try again, in the place where the answer would have been. */
export const Failed = ({ text, retry }: { text: string; retry: () => void }) => {
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
      {text}
    </Alert>
  );
};
