import { z } from 'zod';
import {
  Environment,
  Inventory,
  Key,
  NewEnvironment,
  NewInventory,
  NewKey,
  NewRepository,
  Repository,
} from '../entities/resources.ts';
import { MEBIBYTE } from '../limits.ts';
import { member, route } from '../route.ts';
import { EnvironmentParams, InventoryParams, KeyParams, ProjectParams, RepositoryParams } from './params.ts';

export const listKeys = route({
  method: 'GET',
  path: '/project/{project_id}/keys',
  permission: member(),
  params: ProjectParams,
  status: 200,
  answer: z.array(Key),
  doc: 'The keys of a project by name, without their secrets.',
});

export const createKey = route({
  method: 'POST',
  path: '/project/{project_id}/keys',
  permission: member('manage_resources'),
  params: ProjectParams,
  body: NewKey,
  status: 201,
  answer: Key,
  errors: ['conflict'],
  doc: 'Stores a key; its secret is encrypted and never answered again.',
});

export const getKey = route({
  method: 'GET',
  path: '/project/{project_id}/keys/{key_id}',
  permission: member(),
  params: KeyParams,
  status: 200,
  answer: Key,
  doc: 'One key, without its secret.',
});

export const listRepositories = route({
  method: 'GET',
  path: '/project/{project_id}/repositories',
  permission: member(),
  params: ProjectParams,
  status: 200,
  answer: z.array(Repository),
  doc: 'The repositories of a project by name.',
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

export const listInventory = route({
  method: 'GET',
  path: '/project/{project_id}/inventory',
  permission: member(),
  params: ProjectParams,
  status: 200,
  answer: z.array(Inventory),
  doc: 'The inventories of a project by name; without their text for those who may not change them.',
});

export const createInventory = route({
  method: 'POST',
  path: '/project/{project_id}/inventory',
  permission: member('manage_resources'),
  params: ProjectParams,
  body: NewInventory,
  bodyLimit: 9 * MEBIBYTE,
  status: 201,
  answer: Inventory,
  errors: ['conflict'],
  doc: 'Adds an inventory.',
});

export const getInventory = route({
  method: 'GET',
  path: '/project/{project_id}/inventory/{inventory_id}',
  permission: member(),
  params: InventoryParams,
  status: 200,
  answer: Inventory,
  doc: 'One inventory; without its text for those who may not change it.',
});

export const listEnvironments = route({
  method: 'GET',
  path: '/project/{project_id}/environment',
  permission: member(),
  params: ProjectParams,
  status: 200,
  answer: z.array(Environment),
  doc: 'The environments of a project by name; with empty values for those who may not change them.',
});

export const createEnvironment = route({
  method: 'POST',
  path: '/project/{project_id}/environment',
  permission: member('manage_resources'),
  params: ProjectParams,
  body: NewEnvironment,
  bodyLimit: 2 * MEBIBYTE,
  status: 201,
  answer: Environment,
  errors: ['conflict'],
  doc: 'Adds an environment: extra variables and environment variables of runs.',
});

export const getEnvironment = route({
  method: 'GET',
  path: '/project/{project_id}/environment/{environment_id}',
  permission: member(),
  params: EnvironmentParams,
  status: 200,
  answer: Environment,
  doc: 'One environment; with empty values for those who may not change it.',
});
