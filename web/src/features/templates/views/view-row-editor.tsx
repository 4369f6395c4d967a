import { TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../../../ui/button.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { isNewRow, type ViewRow } from './view-rows.ts';
import css from './views.module.css';

interface ViewRowEditorProps {
  row: ViewRow;
  maySave: boolean;
  isFirst: boolean;
  isLast: boolean;
  onDraft: (draft: string) => void;
  onSave: () => void;
  onReset: () => void;
  onRemove: () => void;
  onDrag: () => void;
  onMove: (by: 1 | -1) => void;
}

/** One view: at rest until it is focused, then with a way to save and one to go back. */
export const ViewRowEditor = (props: ViewRowEditorProps) => {
  const { row, maySave, isFirst, isLast, onDraft, onSave, onReset, onRemove, onDrag, onMove } = props;
  const { t } = useTranslation();
  const name = row.draft ?? row.title;
  const isActive = row.draft !== undefined;
  return (
    <div className={css.row}>
      <span className={css.handle} draggable onDragStart={onDrag} title={t('views.drag')} aria-hidden="true">
        <Icon name="menu" />
      </span>
      <TextInput
        aria-label={t('views.name')}
        placeholder={t('views.name')}
        maxLength={255}
        value={name}
        autoFocus={isNewRow(row)}
        onFocus={() => {
          if (!isActive) onDraft(row.title);
        }}
        onChange={(event) => onDraft(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && maySave) onSave();
          if (event.key === 'Escape' && isActive && !isNewRow(row)) {
            event.stopPropagation();
            onReset();
          }
        }}
      />
      {isActive ? (
        <IconButton icon="check" label={t('views.save', { name })} disabled={!maySave} onClick={onSave} />
      ) : null}
      {isActive && !isNewRow(row) ? (
        <IconButton icon="close" label={t('views.reset', { name: row.title })} onClick={onReset} />
      ) : null}
      {/* Not disabled at the ends: that would take the focus from whoever moves a row there. */}
      <IconButton
        icon="up"
        label={t('views.up', { name })}
        aria-disabled={isFirst || undefined}
        onClick={() => (isFirst ? undefined : onMove(-1))}
      />
      <IconButton
        icon="down"
        label={t('views.down', { name })}
        aria-disabled={isLast || undefined}
        onClick={() => (isLast ? undefined : onMove(1))}
      />
      <IconButton icon="trash" label={t('views.remove', { name })} onClick={onRemove} />
    </div>
  );
};
