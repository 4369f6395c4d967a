import { z } from 'zod';
import { AccessTest, KeyTest, KeyToTest } from '../entities/repository-access.ts';
import { Key, KeyChange, NewKey, References } from '../entities/resources.ts';
import { REFUSED_FOR_KEY } from '../refused-fields.ts';
import { member, route } from '../route.ts';
import { sortedBy } from '../sorting.ts';
import { KeyParams, ProjectParams } from './params.ts';

export const listKeys = route({
  method: 'GET',
  path: '/project/{project_id}/keys',
  permission: member(),
  params: ProjectParams,
  query: sortedBy('name', 'type', 'login'),
  status: 200,
  answer: z.array(Key),
  doc: 'The keys of a project by name, without their secrets. Logins are only returned to members who may change keys.',
});

export const createKey = route({
  method: 'POST',
  path: '/project/{project_id}/keys',
  permission: member('edit_keys'),
  params: ProjectParams,
  body: NewKey,
  refuses: REFUSED_FOR_KEY,
  status: 201,
  answer: Key,
  errors: ['conflict'],
  doc: 'Creates a key. Its secret is encrypted and never returned.',
});

export const getKey = route({
  method: 'GET',
  path: '/project/{project_id}/keys/{key_id}',
  permission: member(),
  params: KeyParams,
  status: 200,
  answer: Key,
  doc: 'One key, without its secret. Its login is only returned to members who may change keys.',
});

export const updateKey = route({
  method: 'PUT',
  path: '/project/{project_id}/keys/{key_id}',
  permission: member('edit_keys'),
  params: KeyParams,
  body: KeyChange,
  refuses: REFUSED_FOR_KEY,
  status: 204,
  answer: 'nothing',
  errors: ['conflict'],
  doc: 'Changes a key. The secret is only replaced with `override_secret`; name and login can be changed without it.',
});

export const deleteKey = route({
  method: 'DELETE',
  path: '/project/{project_id}/keys/{key_id}',
  permission: member('edit_keys'),
  params: KeyParams,
  status: 204,
  answer: 'nothing',
  errors: ['in_use'],
  doc: 'Deletes a key that is not in use.',
});

export const getKeyReferences = route({
  method: 'GET',
  path: '/project/{project_id}/keys/{key_id}/refs',
  permission: member(),
  params: KeyParams,
  status: 200,
  answer: References,
  doc: "The objects that use a key. It can't be deleted while there are any.",
});

export const testKey = route({
  method: 'POST',
  path: '/project/{project_id}/keys/{key_id}/test',
  permission: member('edit_keys'),
  params: KeyParams,
  body: KeyTest,
  status: 200,
  answer: AccessTest,
  errors: ['unavailable'],
  doc: 'Tests on a runner whether a key can be used, optionally with a repository.',
});

export const testNewKey = route({
  method: 'POST',
  path: '/project/{project_id}/keys/test',
  permission: member('edit_keys'),
  params: ProjectParams,
  body: KeyToTest,
  status: 200,
  answer: AccessTest,
  errors: ['unavailable'],
  doc: 'Tests an unsaved key like `testKey`. The key is not stored. Only the fingerprint of an SSH key is returned.',
});
