import type { Key } from '@signalbox/contract';
import { useTranslation } from 'react-i18next';
import { call } from '../../api/call.ts';
import { keysQuery } from '../../api/queries.ts';
import { KeyForm } from './key-form.tsx';
import { keyTypeLabel, loginOf } from './key-values.ts';
import type { ResourceTraits } from './resource-page.tsx';

export const KEYS: ResourceTraits<Key> = {
  right: 'edit_keys',
  texts: {
    title: 'keys.title',
    noun: 'keys.noun',
    add: 'keys.add',
    filter: 'keys.filter',
    emptyTitle: 'keys.emptyTitle',
    emptyText: 'keys.emptyText',
    deleteTitle: 'keys.deleteTitle',
    deleteText: 'keys.deleteText',
    deleted: 'keys.deleted',
  },
  query: keysQuery,
  useColumns: () => {
    const { t } = useTranslation();
    return [
      { id: 'name', title: 'column.name', text: ({ name }) => name },
      { id: 'type', title: 'column.type', text: ({ type }) => t(keyTypeLabel(type)), width: '26%' },
      { id: 'login', title: 'keys.login', text: (key) => loginOf(key) || '–', width: '26%' },
    ];
  },
  references: (project_id, key_id) => call('getKeyReferences', { params: { project_id, key_id } }),
  remove: (project_id, key_id) => call('deleteKey', { params: { project_id, key_id } }),
  Form: KeyForm,
};
