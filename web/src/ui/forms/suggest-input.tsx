import { Autocomplete } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import css from './suggest-input.module.css';

/** Options that are shown at once; typing finds the others. */
const SHOWN = 100;

/** Where suggestions stand that somebody has to look for. */
export interface Looking {
  isBusy: boolean;
  /** Why there are none. */
  failure: string | undefined;
  retry: () => void;
}

export interface SuggestInputProps {
  label: string;
  help?: string | undefined;
  placeholder?: string;
  /** The value and what else a form gives its fields. */
  value?: string;
  onChange: (value: string) => void;
  error?: ReactNode;
  suggestions: readonly string[];
  looking?: Looking | undefined;
  /** Called when somebody comes to the field: only then need anybody look. */
  onFocus?: () => void;
  'data-autofocus'?: true | undefined;
}

/** A text that one types, with suggestions. Where there are none it is a field as any other, and says why. */
export const SuggestInput = ({ help, suggestions, looking, ...input }: SuggestInputProps) => {
  const { t } = useTranslation();
  const failure = looking?.isBusy ? undefined : looking?.failure;
  const note = looking?.isBusy ? t('suggest.looking') : failure && t('suggest.none', { reason: failure });
  return (
    <Autocomplete
      description={
        <span className={css.note} aria-live="polite">
          {note ?? help}
          {failure ? (
            <button type="button" className={css.retry} onClick={looking?.retry}>
              {t('action.retry')}
            </button>
          ) : null}
        </span>
      }
      data={[...suggestions]}
      limit={SHOWN}
      spellCheck={false}
      autoComplete="off"
      classNames={{ input: css.mono ?? '', option: css.mono ?? '' }}
      {...input}
    />
  );
};
