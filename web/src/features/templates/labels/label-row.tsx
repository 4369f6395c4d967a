import { TextInput } from '@mantine/core';
import type { LabelColour } from '@signalbox/contract';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button, IconButton } from '../../../ui/basics/button.tsx';
import css from './labels.module.css';

const COLOURS = [
  { colour: 'slate', labelKey: 'labels.colours.slate' },
  { colour: 'brick', labelKey: 'labels.colours.brick' },
  { colour: 'ochre', labelKey: 'labels.colours.ochre' },
  { colour: 'moss', labelKey: 'labels.colours.moss' },
  { colour: 'violet', labelKey: 'labels.colours.violet' },
  { colour: 'teal', labelKey: 'labels.colours.teal' },
] as const satisfies readonly { colour: LabelColour; labelKey: string }[];

export interface LabelDraft {
  readonly name: string;
  readonly colour: LabelColour;
}

interface LabelRowProps {
  /** The stored label; an empty name for a new one. */
  label: LabelDraft;
  isBusy: boolean;
  onSave: (draft: LabelDraft) => void;
  /** Undefined for a new label. */
  onDelete?: (() => void) | undefined;
}

/** Changes the name and the colour of a label, or deletes it after a confirmation. */
export const LabelRow = ({ label, isBusy, onSave, onDelete }: LabelRowProps) => {
  const { t } = useTranslation();
  const [{ name, colour }, setDraft] = useState(label);
  const [isAsking, setAsking] = useState(false);
  const isChanged = name.trim() !== '' && (name.trim() !== label.name || colour !== label.colour);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (!isChanged) return;
    onSave({ name: name.trim(), colour });
    if (label.name === '') setDraft(label);
  };
  if (isAsking)
    return (
      <li className={css.row}>
        <span className={css.ask} role="alert">
          {t('labels.deleteAsk', { name: label.name })}
        </span>
        <Button small variant="quiet" autoFocus onClick={() => setAsking(false)}>
          {t('action.cancel')}
        </Button>
        <Button small variant="stop" busy={isBusy} onClick={onDelete}>
          {t('action.delete')}
        </Button>
      </li>
    );
  return (
    <li>
      <form className={css.row} onSubmit={submit}>
        <TextInput
          aria-label={t('labels.name')}
          placeholder={t(label.name === '' ? 'labels.new' : 'labels.name')}
          maxLength={255}
          value={name}
          onChange={({ currentTarget: { value } }) => setDraft({ name: value, colour })}
        />
        <fieldset className={css.colours} aria-label={t('labels.colour')}>
          {COLOURS.map(({ colour: one, labelKey }) => (
            // biome-ignore lint/a11y/useSemanticElements: a radio input cannot show a colour
            <button
              key={one}
              type="button"
              role="radio"
              aria-checked={one === colour}
              aria-label={t(labelKey)}
              title={t(labelKey)}
              className={css.colour}
              onClick={() => setDraft({ name, colour: one })}
            >
              <span className={css.dot} data-colour={one} />
            </button>
          ))}
        </fieldset>
        <Button small type="submit" busy={isBusy} disabled={!isChanged}>
          {t(label.name === '' ? 'labels.create' : 'labels.save')}
        </Button>
        {onDelete ? (
          <IconButton icon="trash" label={t('list.delete', { name: label.name })} onClick={() => setAsking(true)} />
        ) : null}
      </form>
    </li>
  );
};
