import { z } from 'zod';
import { Environment, EnvironmentChange, NewEnvironment } from '../entities/environment.ts';
import { References } from '../entities/resources.ts';
import { MEBIBYTE } from '../limits.ts';
import { REFUSED_FOR_ENVIRONMENT } from '../refused-fields.ts';
import { member, route } from '../route.ts';
import { sortedBy } from '../sorting.ts';
import { EnvironmentParams, ProjectParams } from './params.ts';

export const listEnvironments = route({
  method: 'GET',
  path: '/project/{project_id}/environment',
  permission: member(),
  params: ProjectParams,
  query: sortedBy('name', 'variables', 'secrets'),
  status: 200,
  answer: z.array(Environment),
  doc: 'The environments of a project by name. Values are empty for members who may not change environments.',
});

export const createEnvironment = route({
  method: 'POST',
  path: '/project/{project_id}/environment',
  permission: member('edit_inventories'),
  params: ProjectParams,
  body: NewEnvironment,
  refuses: REFUSED_FOR_ENVIRONMENT,
  bodyLimit: 2 * MEBIBYTE,
  status: 201,
  answer: Environment,
  errors: ['conflict'],
  doc: 'Creates an environment: extra variables, environment variables and secret variables of runs.',
});

export const getEnvironment = route({
  method: 'GET',
  path: '/project/{project_id}/environment/{environment_id}',
  permission: member(),
  params: EnvironmentParams,
  status: 200,
  answer: Environment,
  doc: 'One environment. Values are empty for members who may not change environments.',
});

export const updateEnvironment = route({
  method: 'PUT',
  path: '/project/{project_id}/environment/{environment_id}',
  permission: member('edit_inventories'),
  params: EnvironmentParams,
  body: EnvironmentChange,
  refuses: REFUSED_FOR_ENVIRONMENT,
  bodyLimit: 2 * MEBIBYTE,
  status: 204,
  answer: 'nothing',
  errors: ['conflict'],
  doc: 'Changes an environment.',
});

export const deleteEnvironment = route({
  method: 'DELETE',
  path: '/project/{project_id}/environment/{environment_id}',
  permission: member('edit_inventories'),
  params: EnvironmentParams,
  status: 204,
  answer: 'nothing',
  errors: ['in_use'],
  doc: 'Deletes an environment that is not in use.',
});

export const getEnvironmentReferences = route({
  method: 'GET',
  path: '/project/{project_id}/environment/{environment_id}/refs',
  permission: member(),
  params: EnvironmentParams,
  status: 200,
  answer: References,
  doc: "The objects that use an environment. It can't be deleted while there are any.",
});
