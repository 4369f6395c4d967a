import type { KeyType } from '@signalbox/contract';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { keysQuery } from '../../api/queries.ts';
import { ObjectSelect, type ObjectSelectProps } from '../../ui/forms/object-select.tsx';

export interface KeySelectProps extends Omit<ObjectSelectProps, 'icon' | 'items' | 'placeholder'> {
  project: number;
  /** Limits the choice to keys of these types. Default: all. */
  types?: readonly KeyType[];
}

/** Select input for a key of the project. */
export const KeySelect = ({ project, types, ...pick }: KeySelectProps) => {
  const { t } = useTranslation();
  const { data } = useQuery(keysQuery(project));
  const offered = types ? data?.filter(({ type }) => types.includes(type)) : data;
  // The form could create a key of a type that this select does not offer.
  const create = types ? undefined : 'key';
  return <ObjectSelect icon="key" placeholder={t('keys.choose')} items={offered} create={create} {...pick} />;
};
