import { useTranslation } from 'react-i18next';
import { IconButton } from '../basics/button.tsx';

/** Edit and delete buttons of a row, labelled with the name of the object. */
export const RowActions = ({ name, onEdit, onDelete }: { name: string; onEdit: () => void; onDelete: () => void }) => {
  const { t } = useTranslation();
  return (
    <>
      <IconButton icon="edit" label={t('list.edit', { name })} onClick={onEdit} />
      <IconButton icon="trash" label={t('list.delete', { name })} onClick={onDelete} />
    </>
  );
};
