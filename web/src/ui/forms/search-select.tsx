import { Select } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';

export interface SearchSelectProps {
  label: string;
  className: string | undefined;
  items: readonly { readonly value: string; readonly label: string }[];
  value: string;
  onChange: (value: string) => void;
  /** Takes the focus when it appears, unless another element has it. */
  takesFocus?: boolean;
}

/** Select input; typing filters the options. */
export const SearchSelect = ({ label, className, items, value, onChange, takesFocus = false }: SearchSelectProps) => {
  const { t } = useTranslation();
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (takesFocus && document.activeElement === document.body) input.current?.focus();
  }, [takesFocus]);
  return (
    <Select
      ref={input}
      className={className ?? ''}
      aria-label={label}
      allowDeselect={false}
      searchable
      // The click that loads it is on its placeholder.
      openOnFocus
      nothingFoundMessage={t('list.noMatch')}
      data={items}
      value={value}
      onChange={(chosen) => {
        if (chosen !== null) onChange(chosen);
      }}
    />
  );
};
