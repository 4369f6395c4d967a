import { type KeyboardEvent, type ReactNode, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Icon } from '../../../ui/basics/icon.tsx';
import { ownsEscape } from '../../../ui/dialogs/escape.ts';
import { FieldError } from '../../../ui/forms/field-error.tsx';
import css from './launch-text.module.css';

/** One part of the text: a value within a phrase, such as `on 24 of 81 hosts`. */
export interface TextPart {
  /** Field of the form. An error of the field opens the part. */
  readonly field: string;
  /** What the part decides, for screen readers. */
  readonly label: string;
  /** A translated text that contains `SLOT` instead of the value. */
  readonly phrase: string;
  readonly value: string;
  /** Whether the part continues the phrase before it, without a comma. */
  readonly continues?: boolean;
  readonly isMono?: boolean;
  readonly isChanged?: boolean;
  readonly error?: ReactNode;
  /** The inputs of a part that may be changed. */
  readonly editor?: ReactNode;
  /** Switches a part that has only two values. */
  readonly toggle?: () => void;
}

/** Stands for the value in a translated phrase. */
export const SLOT = '\u0001';

interface PartProps {
  part: TextPart;
  hasComma: boolean;
  isOpen: boolean;
  panel: string;
  onToggle: () => void;
}

const Part = ({ part, hasComma, isOpen, panel, onToggle }: PartProps) => {
  const { t } = useTranslation();
  const [before = '', after = ''] = part.phrase.split(SLOT);
  const comma = hasComma ? t('separator.comma').trimEnd() : '';
  const value = <span className={part.isMono ? css.mono : undefined}>{part.value}</span>;
  const isButton = part.editor !== undefined || part.toggle !== undefined;
  return (
    <span className={css.part}>
      {before}
      <span className={css.withComma}>
        {isButton ? (
          <button
            type="button"
            className={css.token}
            data-path={part.field}
            data-open={isOpen || undefined}
            data-changed={part.isChanged || undefined}
            data-wrong={part.error ? true : undefined}
            aria-label={`${part.label}: ${part.value}`}
            {...(part.toggle ? {} : { 'aria-expanded': isOpen, 'aria-controls': panel })}
            onClick={part.toggle ?? onToggle}
          >
            {value}
            {part.toggle ? null : <Icon name="down" />}
          </button>
        ) : (
          <b className={css.fixed}>{value}</b>
        )}
        {after === '' ? comma : null}
      </span>
      {after === '' ? null : `${after}${comma}`}
    </span>
  );
};

export interface LaunchTextProps {
  verb: string;
  parts: readonly TextPart[];
  /** Field whose part is open at first. */
  opened?: string | undefined;
}

/** What will run, as a text. Each part that may be changed is a button that unfolds its inputs below the text. */
export const LaunchText = ({ verb, parts, opened }: LaunchTextProps) => {
  const { t } = useTranslation();
  const panel = useId();
  const block = useRef<HTMLDivElement>(null);
  const [chosen, setChosen] = useState<string | undefined>(opened);
  const wrong = parts.find(({ error, editor }) => error && editor)?.field;
  const [shownWrong, setShownWrong] = useState(wrong);
  if (wrong !== shownWrong) {
    setShownWrong(wrong);
    if (wrong !== undefined) setChosen(wrong);
  }
  const open = parts.find(({ field, editor }) => field === chosen && editor);
  const close = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || !open || ownsEscape(event.target)) return;
    // The dialog would close too.
    event.stopPropagation();
    setChosen(undefined);
    block.current?.querySelector<HTMLElement>(`[data-path="${open.field}"]`)?.focus();
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: catches Escape of the buttons and inputs within
    <div className={css.block} ref={block} onKeyDown={close}>
      <p className={css.text}>
        {verb}{' '}
        {parts.map((part, index) => (
          <Part
            key={part.field}
            part={part}
            hasComma={index + 1 < parts.length && !parts[index + 1]?.continues}
            isOpen={part === open}
            panel={panel}
            onToggle={() => setChosen(part === open ? undefined : part.field)}
          />
        ))}
      </p>
      {parts.map(({ field, label, error, editor }) =>
        // The inputs of other parts show their errors.
        error && !editor ? (
          <FieldError key={field}>
            {label}: {error}
          </FieldError>
        ) : null,
      )}
      <div id={panel}>
        {open?.editor ? (
          // biome-ignore lint/a11y/useSemanticElements: a fieldset would draw its own frame and legend
          <div className={css.panel} role="group" aria-label={t('launch.change', { what: open.label })}>
            {open.editor}
          </div>
        ) : null}
      </div>
    </div>
  );
};
