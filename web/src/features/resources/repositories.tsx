import type { Repository } from '@signalbox/contract';
import { call } from '../../api/call.ts';
import { repositoriesQuery } from '../../api/queries.ts';
import { useKeyNames } from './inventories.tsx';
import { RepositoryForm } from './repository-form.tsx';
import type { ResourceTraits } from './resource-page.tsx';

export const REPOSITORIES: ResourceTraits<Repository> = {
  right: 'edit_repositories',
  texts: {
    title: 'repositories.title',
    noun: 'repositories.noun',
    add: 'repositories.add',
    filter: 'repositories.filter',
    emptyTitle: 'repositories.emptyTitle',
    emptyText: 'repositories.emptyText',
    deleteTitle: 'repositories.deleteTitle',
    deleteText: 'repositories.deleteText',
    deleted: 'repositories.deleted',
  },
  query: repositoriesQuery,
  useColumns: (project) => {
    const name = useKeyNames(project);
    return [
      { id: 'name', title: 'column.name', text: (row) => row.name },
      {
        id: 'url',
        title: 'repositories.url',
        text: (row) => row.git_url,
        cell: (row) => <span className="mono">{row.git_url}</span>,
        width: '38%',
      },
      { id: 'branch', title: 'repositories.branch', text: (row) => row.git_branch, width: '14%' },
      { id: 'key', title: 'repositories.key', text: (row) => name(row.ssh_key_id), width: '16%' },
    ];
  },
  references: (project_id, repository_id) => call('getRepositoryReferences', { params: { project_id, repository_id } }),
  remove: (project_id, repository_id) => call('deleteRepository', { params: { project_id, repository_id } }),
  Form: RepositoryForm,
};
