import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button, IconButton } from '../../../ui/basics/button.tsx';
import { Icon } from '../../../ui/basics/icon.tsx';
import { isNewRow, type ViewRow } from './view-rows.ts';
import css from './views.module.css';

/** Prevents `Esc` in a control from closing the dialog around it. */
const OWN_ESC = { 'data-mantine-stop-propagation': 'true' };

interface ViewRowEditorProps {
  row: ViewRow;
  maySave: boolean;
  isFirst: boolean;
  isLast: boolean;
  isRemoving: boolean;
  onDraft: (draft: string) => void;
  onSave: () => void;
  onReset: () => void;
  onRemove: () => void;
  onDrag: () => void;
  onMove: (by: 1 | -1) => void;
}

/** A row of the dialog. When it has the focus, it shows buttons to save and reset. */
export const ViewRowEditor = (props: ViewRowEditorProps) => {
  const { row, maySave, isFirst, isLast, isRemoving, onDraft, onSave, onReset, onRemove, onDrag, onMove } = props;
  const { t } = useTranslation();
  const name = row.draft ?? row.title;
  const isActive = row.draft !== undefined;
  const [asking, setAsking] = useState<'never' | 'now' | 'before'>('never');
  if (asking === 'now') {
    return (
      // biome-ignore lint/a11y/noStaticElementInteractions: a click cancels the deletion, like its button
      <div
        className={css.row}
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return;
          setAsking('before');
        }}
      >
        <span className={css.confirmation} role="alert">
          {t('views.removeAsk', { name: row.title })}
        </span>
        <Button small variant="quiet" autoFocus onClick={() => setAsking('before')} {...OWN_ESC}>
          {t('action.cancel')}
        </Button>
        <Button small variant="stop" busy={isRemoving} onClick={onRemove} {...OWN_ESC}>
          {t('action.delete')}
        </Button>
      </div>
    );
  }
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
        {...(isActive && !isNewRow(row) ? OWN_ESC : {})}
        onFocus={() => {
          if (!isActive) onDraft(row.title);
        }}
        onChange={(event) => onDraft(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && maySave) onSave();
          if (event.key === 'Escape' && isActive && !isNewRow(row)) {
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
      {/* Not disabled for the first and last row: that would remove the focus while a row is moved. */}
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
      <IconButton
        icon="trash"
        label={t('views.remove', { name })}
        // The confirmation replaced this button and had the focus.
        autoFocus={asking === 'before'}
        onClick={() => (isNewRow(row) ? onRemove() : setAsking('now'))}
      />
    </div>
  );
};
