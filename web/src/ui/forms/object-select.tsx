import { Select } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Icon, type IconName } from '../basics/icon.tsx';

export interface ObjectSelectProps {
  label: string;
  help?: string;
  placeholder: string;
  icon: IconName;
  items: readonly { readonly id: number; readonly name: string }[] | undefined;
  /** Adds an empty option. */
  isOptional?: boolean;
  /** The id as text, as select inputs need it. */
  value?: string | null;
  onChange: (value: string | null) => void;
  error?: ReactNode;
}

/** Select input for a named object; typing filters the options. */
export const ObjectSelect = ({ help, icon, items = [], isOptional = false, ...input }: ObjectSelectProps) => {
  const { t } = useTranslation();
  return (
    <Select
      description={help}
      leftSection={<Icon name={icon} />}
      data={items.map(({ id, name }) => ({ value: String(id), label: name }))}
      searchable
      clearable={isOptional}
      nothingFoundMessage={t('list.noMatch')}
      {...input}
    />
  );
};
