import { Autocomplete } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { LookupNote } from './lookup-note.tsx';
import css from './suggest-input.module.css';

/** Maximum number of options that are shown at once; typing finds the others. */
const SHOWN = 100;

/** State of the lookup of suggestions. */
export interface SuggestionLookup {
  isBusy: boolean;
  /** Why the lookup failed. */
  failure: string | undefined;
  retry: () => void;
}

export interface SuggestInputProps {
  label: string;
  help?: string | undefined;
  placeholder?: string;
  /** The value and other form properties of the input. */
  value?: string;
  onChange: (value: string) => void;
  error?: ReactNode;
  suggestions: readonly string[];
  lookup?: SuggestionLookup | undefined;
  /** Called when the user focuses the field, which starts the lookup. */
  onFocus?: () => void;
  'data-autofocus'?: true | undefined;
}

/** Text input with suggestions. Without suggestions it is a normal input and shows the reason. */
export const SuggestInput = ({ help, suggestions, lookup, ...input }: SuggestInputProps) => {
  const { t } = useTranslation();
  const failure = lookup?.isBusy ? undefined : lookup?.failure;
  const note = lookup?.isBusy ? t('suggest.loading') : failure && t('suggest.none', { reason: failure });
  return (
    <Autocomplete
      description={<LookupNote text={note ?? help} retry={failure ? lookup?.retry : undefined} />}
      data={[...suggestions]}
      limit={SHOWN}
      spellCheck={false}
      autoComplete="off"
      classNames={{ input: css.mono ?? '', option: css.mono ?? '' }}
      {...input}
    />
  );
};
