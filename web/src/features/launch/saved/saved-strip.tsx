import { Checkbox, TextInput } from '@mantine/core';
import type { SavedLaunch } from '@signalbox/contract';
import { type FormEvent, type KeyboardEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError, errorText } from '../../../api/api-error.ts';
import { Alert } from '../../../ui/basics/alert.tsx';
import { Button } from '../../../ui/basics/button.tsx';
import css from './saved.module.css';

interface StripProps {
  /** The saved launch to delete; undefined to save a new one. */
  deleted: SavedLaunch | undefined;
  mayShare: boolean;
  isBusy: boolean;
  error: Error | null;
  onSave: (name: string, shared: boolean) => void;
  onDelete: (launch: SavedLaunch) => void;
  onClose: () => void;
}

/** Asks for the name of a new saved launch, or for the confirmation to delete one, above the form. */
export const SavedStrip = ({ deleted, mayShare, isBusy, error, onSave, onDelete, onClose }: StripProps) => {
  const { t } = useTranslation();
  const [name, setName] = useState('');
  const [isShared, setShared] = useState(false);
  const nameError = error instanceof ApiError ? error.fields.name : undefined;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (deleted) onDelete(deleted);
    else onSave(name.trim(), isShared);
  };
  const close = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return;
    // The dialog would close too.
    event.stopPropagation();
    onClose();
  };
  return (
    <form className={css.strip} onSubmit={submit} onKeyDown={close} noValidate aria-label={t('saved.save')}>
      {error && nameError === undefined ? <Alert colour="error">{errorText(error)}</Alert> : null}
      <div className={css.line}>
        {deleted ? (
          <span className={css.text}>{t('saved.confirm', { name: deleted.name })}</span>
        ) : (
          <TextInput
            className={css.text}
            label={t('form.name')}
            maxLength={255}
            value={name}
            error={nameError}
            ref={(input) => input?.focus()}
            onChange={(event) => setName(event.currentTarget.value)}
          />
        )}
        <Button variant="quiet" onClick={onClose} ref={deleted ? (button) => button?.focus() : undefined}>
          {t('action.cancel')}
        </Button>
        <Button type="submit" variant={deleted ? 'stop' : 'outline'} busy={isBusy}>
          {t(deleted ? 'action.delete' : 'saved.submit')}
        </Button>
      </div>
      {deleted ? null : (
        <div className={css.notes}>
          {mayShare ? (
            <Checkbox
              label={t('saved.share')}
              checked={isShared}
              onChange={(event) => setShared(event.currentTarget.checked)}
            />
          ) : null}
          <span>{t('saved.help')}</span>
        </div>
      )}
    </form>
  );
};
