import { TextInput } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { useRef } from 'react';
import { Icon } from '../basics/icon.tsx';
import css from './filter-input.module.css';

/** Filters a list while the user types. The `/` key focuses it from anywhere on the page. */
export const FilterInput = ({
  label,
  value,
  onChange,
}: {
  label: string;
  value: string;
  onChange: (value: string) => void;
}) => {
  const input = useRef<HTMLInputElement>(null);
  useHotkeys([['/', () => input.current?.focus()]]);
  return (
    <TextInput
      ref={input}
      className={css.filter ?? ''}
      type="search"
      aria-label={label}
      placeholder={label}
      leftSection={<Icon name="search" />}
      rightSection={<kbd className={css.key}>/</kbd>}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key === 'Escape') onChange('');
      }}
    />
  );
};
