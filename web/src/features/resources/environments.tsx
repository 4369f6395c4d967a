import type { Environment } from '@signalbox/contract';
import { useTranslation } from 'react-i18next';
import { call } from '../../api/call.ts';
import { environmentsQuery } from '../../api/queries.ts';
import { EnvironmentForm } from './environment-form.tsx';
import type { ResourceTraits } from './resource-page.tsx';

const countOf = (json: string): number => {
  try {
    return Object.keys(JSON.parse(json) as object).length;
  } catch {
    return 0;
  }
};

export const ENVIRONMENTS: ResourceTraits<Environment> = {
  right: 'edit_inventories',
  texts: {
    title: 'environment.title',
    noun: 'environment.noun',
    add: 'environment.add',
    filter: 'environment.filter',
    emptyTitle: 'environment.emptyTitle',
    emptyText: 'environment.emptyText',
    deleteTitle: 'environment.deleteTitle',
    deleteText: 'environment.deleteText',
    deleted: 'environment.deleted',
  },
  query: environmentsQuery,
  useColumns: () => {
    const { t } = useTranslation();
    const count = (count: number) => (count === 0 ? '' : t('environment.count', { count }));
    const size = (row: Environment) => countOf(row.json) + countOf(row.env);
    return [
      { id: 'name', title: 'column.name', text: (row) => row.name },
      { id: 'variables', title: 'environment.variables', text: (row) => count(size(row)), order: size, width: '24%' },
      {
        id: 'secrets',
        title: 'environment.secrets',
        text: (row) => count(row.secrets.length),
        order: (row) => row.secrets.length,
        width: '24%',
      },
    ];
  },
  references: (project_id, environment_id) =>
    call('getEnvironmentReferences', { params: { project_id, environment_id } }),
  remove: (project_id, environment_id) => call('deleteEnvironment', { params: { project_id, environment_id } }),
  Form: EnvironmentForm,
};
