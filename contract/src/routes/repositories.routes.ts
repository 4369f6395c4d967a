import { z } from 'zod';
import { AccessTest, RepositoryFiles, RepositoryScan, RepositoryToTest } from '../entities/repository-access.ts';
import { Branch, NewRepository, References, Repository, RepositoryChange } from '../entities/resources.ts';
import { member, route } from '../route.ts';
import { sortedBy } from '../sorting.ts';
import { ProjectParams, RepositoryParams } from './params.ts';

export const listRepositories = route({
  method: 'GET',
  path: '/project/{project_id}/repositories',
  permission: member(),
  params: ProjectParams,
  query: sortedBy('name', 'git_url', 'git_branch', 'ssh_key'),
  status: 200,
  answer: z.array(Repository),
  doc: 'The repositories of a project by name. User info in URLs is removed for members who may not change repositories.',
});

export const createRepository = route({
  method: 'POST',
  path: '/project/{project_id}/repositories',
  permission: member('edit_repositories'),
  params: ProjectParams,
  body: NewRepository,
  status: 201,
  answer: Repository,
  errors: ['conflict'],
  doc: 'Creates a repository with playbooks for templates.',
});

export const getRepository = route({
  method: 'GET',
  path: '/project/{project_id}/repositories/{repository_id}',
  permission: member(),
  params: RepositoryParams,
  status: 200,
  answer: Repository,
  doc: 'One repository.',
});

export const updateRepository = route({
  method: 'PUT',
  path: '/project/{project_id}/repositories/{repository_id}',
  permission: member('edit_repositories'),
  params: RepositoryParams,
  body: RepositoryChange,
  status: 204,
  answer: 'nothing',
  errors: ['conflict'],
  doc: 'Changes a repository.',
});

export const deleteRepository = route({
  method: 'DELETE',
  path: '/project/{project_id}/repositories/{repository_id}',
  permission: member('edit_repositories'),
  params: RepositoryParams,
  status: 204,
  answer: 'nothing',
  errors: ['in_use'],
  doc: 'Deletes a repository that is not in use.',
});

export const getRepositoryReferences = route({
  method: 'GET',
  path: '/project/{project_id}/repositories/{repository_id}/refs',
  permission: member(),
  params: RepositoryParams,
  status: 200,
  answer: References,
  doc: "The objects that use a repository. It can't be deleted while there are any.",
});

export const listBranches = route({
  method: 'GET',
  path: '/project/{project_id}/repositories/{repository_id}/branches',
  permission: member('read_repositories'),
  params: RepositoryParams,
  status: 200,
  answer: z.array(z.string()),
  errors: ['conflict', 'unavailable'],
  doc: "The branches of a repository, read by a runner for this call. 409 if the repository can't be read, with the reason.",
});

export const listRepositoryFiles = route({
  method: 'GET',
  path: '/project/{project_id}/repositories/{repository_id}/files',
  permission: member('read_repositories'),
  params: RepositoryParams,
  query: z.object({
    branch: Branch.optional().describe('Branch or tag to read. Default: the branch of the repository.'),
  }),
  status: 200,
  answer: RepositoryFiles,
  errors: ['conflict', 'unavailable'],
  doc: "The files of a repository by name, read by a runner for this call, without links that point outside. 409 if the repository can't be read, with the reason.",
});

export const findPlaybooks = route({
  method: 'GET',
  path: '/project/{project_id}/repositories/{repository_id}/playbooks',
  permission: member('read_repositories'),
  params: RepositoryParams,
  status: 200,
  answer: RepositoryScan,
  errors: ['conflict', 'unavailable'],
  doc: "The playbooks, inventories and requirements on the branch of a repository, found by a runner for this call. 409 if the repository can't be read, with the reason.",
});

export const testRepository = route({
  method: 'POST',
  path: '/project/{project_id}/repositories/test',
  permission: member('edit_repositories'),
  params: ProjectParams,
  body: RepositoryToTest,
  status: 200,
  answer: AccessTest,
  errors: ['unavailable'],
  doc: 'Tests on a runner whether a key gives access to a repository, which does not have to be saved. Returns the reason if it does not.',
});
