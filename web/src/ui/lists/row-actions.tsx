import { useTranslation } from 'react-i18next';
import { IconButton } from '../basics/button.tsx';

/** Editing and deleting at the end of a row, each with the name of what it is for. */
export const RowActions = ({ name, onEdit, onDelete }: { name: string; onEdit: () => void; onDelete: () => void }) => {
  const { t } = useTranslation();
  return (
    <>
      <IconButton icon="edit" label={t('list.edit', { name })} onClick={onEdit} />
      <IconButton icon="trash" label={t('list.delete', { name })} onClick={onDelete} />
    </>
  );
};
