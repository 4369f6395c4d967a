import { Select } from '@mantine/core';
import type { KeyType } from '@signalbox/contract';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { keysQuery } from '../../api/queries.ts';
import { Icon } from '../../ui/icon.tsx';

export interface KeySelectProps {
  project: number;
  label: string;
  help?: string;
  /** Only keys of these types; all without. */
  types?: readonly KeyType[];
  isOptional?: boolean;
  value?: string | null;
  onChange: (value: string | null) => void;
  error?: React.ReactNode;
}

/** Chooses one of the project's keys. Values are ids as text, as a select has them. */
export const KeySelect = ({ project, label, help, types, isOptional = false, ...input }: KeySelectProps) => {
  const { t } = useTranslation();
  const { data = [] } = useQuery(keysQuery(project));
  const offered = types ? data.filter(({ type }) => types.includes(type)) : data;
  return (
    <Select
      label={label}
      description={help}
      placeholder={t('keys.choose')}
      leftSection={<Icon name="key" />}
      data={offered.map(({ id, name }) => ({ value: String(id), label: name }))}
      searchable
      clearable={isOptional}
      nothingFoundMessage={t('list.noMatch')}
      {...input}
    />
  );
};
