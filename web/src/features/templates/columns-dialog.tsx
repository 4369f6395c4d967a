import { Checkbox } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Dialog } from '../../ui/dialogs/dialog.tsx';
import { COLUMN_LABELS } from './column-labels.ts';
import { TEMPLATE_COLUMNS, type TemplateColumn } from './template-list.ts';
import css from './templates.module.css';

export interface ColumnsDialogProps {
  opened: boolean;
  onClose: () => void;
  shown: readonly TemplateColumn[];
  onToggle: (column: TemplateColumn) => void;
}

/** Dialog that shows and hides columns, with immediate effect. */
export const ColumnsDialog = ({ opened, onClose, shown, onToggle }: ColumnsDialogProps) => {
  const { t } = useTranslation();
  return (
    <Dialog opened={opened} onClose={onClose} title={t('templates.columns')} width={360}>
      <div className={css.columns}>
        {TEMPLATE_COLUMNS.map((column) => (
          <Checkbox
            key={column}
            label={t(COLUMN_LABELS[column])}
            checked={shown.includes(column)}
            onChange={() => onToggle(column)}
          />
        ))}
      </div>
    </Dialog>
  );
};
