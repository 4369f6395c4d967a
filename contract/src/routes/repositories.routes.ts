import { z } from 'zod';
import { AccessTest, RepositoryFiles, RepositoryToTest } from '../entities/repository-access.ts';
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
  doc: 'The repositories of a project by name; without the user info in their URLs for those who may not change them.',
});

export const createRepository = route({
  method: 'POST',
  path: '/project/{project_id}/repositories',
  permission: member('manage_resources'),
  params: ProjectParams,
  body: NewRepository,
  status: 201,
  answer: Repository,
  errors: ['conflict'],
  doc: 'Adds a repository that templates take their playbooks from.',
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
  permission: member('manage_resources'),
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
  permission: member('manage_resources'),
  params: RepositoryParams,
  status: 204,
  answer: 'nothing',
  errors: ['in_use'],
  doc: 'Deletes a repository that nothing uses.',
});

export const getRepositoryReferences = route({
  method: 'GET',
  path: '/project/{project_id}/repositories/{repository_id}/refs',
  permission: member(),
  params: RepositoryParams,
  status: 200,
  answer: References,
  doc: 'What uses a repository, and so keeps it from being deleted.',
});

export const listBranches = route({
  method: 'GET',
  path: '/project/{project_id}/repositories/{repository_id}/branches',
  permission: member('manage_resources'),
  params: RepositoryParams,
  status: 200,
  answer: z.array(z.string()),
  errors: ['conflict', 'unavailable'],
  doc: 'The branches of a repository, asked of a runner now; 409 says why the repository could not be read.',
});

export const listRepositoryFiles = route({
  method: 'GET',
  path: '/project/{project_id}/repositories/{repository_id}/files',
  permission: member('manage_resources'),
  params: RepositoryParams,
  query: z.object({
    branch: Branch.optional().describe('Branch or tag to look at; unless told, that of the repository.'),
  }),
  status: 200,
  answer: RepositoryFiles,
  errors: ['conflict', 'unavailable'],
  doc: 'The files of a repository by name, asked of a runner now, without links that lead out of it; 409 says why it could not be read.',
});

export const testRepository = route({
  method: 'POST',
  path: '/project/{project_id}/repositories/test',
  permission: member('manage_resources'),
  params: ProjectParams,
  body: RepositoryToTest,
  status: 200,
  answer: AccessTest,
  errors: ['unavailable'],
  doc: 'Tries whether a key opens a repository, saved or not, and says why not. A runner tries it now.',
});
