import { useTranslation } from 'react-i18next';
import { Alert } from '../basics/alert.tsx';
import { Button } from '../basics/button.tsx';

/** Error message with a retry button, in place of data that could not be loaded. */
export const LoadError = ({ text, retry }: { text: string; retry: () => void }) => {
  const { t } = useTranslation();
  return (
    <Alert
      colour="error"
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
