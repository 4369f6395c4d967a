import { useTranslation } from 'react-i18next';
import { Button } from './button.tsx';
import { EmptyState } from './page.tsx';

/** Says that the filters match nothing, and clears them. The focus then goes to the filter field, as the button disappears. */
export const NoMatch = ({ title, onClear }: { title: string; onClear: () => void }) => {
  const { t } = useTranslation();
  return (
    <EmptyState title={title}>
      <Button
        onClick={() => {
          document.querySelector<HTMLInputElement>('input[type="search"]')?.focus();
          onClear();
        }}
      >
        {t('list.clear')}
      </Button>
    </EmptyState>
  );
};
