import { Select } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Icon, type IconName } from '../basics/icon.tsx';
import { useOptional } from './use-optional.ts';

export interface ObjectSelectProps {
  label: string;
  help?: string;
  placeholder: string;
  icon: IconName;
  items: readonly { readonly id: number; readonly name: string }[] | undefined;
  /** A link that creates an object. It is shown while there is none to choose. */
  create?: ReactNode;
  /** Adds an empty option. */
  isOptional?: boolean;
  /** The id as text, as select inputs need it. */
  value?: string | null;
  onChange: (value: string | null) => void;
  error?: ReactNode;
}

/** Select input for a named object; typing filters the options. */
export const ObjectSelect = ({ help, icon, items, create, isOptional = false, ...input }: ObjectSelectProps) => {
  const { t } = useTranslation();
  const optional = useOptional();
  const isEmpty = items?.length === 0;
  return (
    <Select
      description={isEmpty ? (create ?? help) : help}
      leftSection={<Icon name={icon} />}
      data={(items ?? []).map(({ id, name }) => ({ value: String(id), label: name }))}
      searchable
      clearable={isOptional}
      {...(isOptional ? optional : {})}
      nothingFoundMessage={t('list.noMatch')}
      {...input}
    />
  );
};
