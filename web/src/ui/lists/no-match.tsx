import { useTranslation } from 'react-i18next';
import { Button } from '../basics/button.tsx';
import { EmptyState } from '../page/page.tsx';

/** Notice that the filters match nothing, with a button that clears them and moves the focus to the filter field. */
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
