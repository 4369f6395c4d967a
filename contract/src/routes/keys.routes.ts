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
  doc: 'The keys of a project by name, without their secrets. Logins are only answered to members who may change keys.',
});

export const createKey = route({
  method: 'POST',
  path: '/project/{project_id}/keys',
  permission: member('manage_resources'),
  params: ProjectParams,
  body: NewKey,
  refuses: REFUSED_FOR_KEY,
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
  doc: 'One key, without its secret. Its login is only answered to members who may change keys.',
});

export const updateKey = route({
  method: 'PUT',
  path: '/project/{project_id}/keys/{key_id}',
  permission: member('manage_resources'),
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
  permission: member('manage_resources'),
  params: KeyParams,
  status: 204,
  answer: 'nothing',
  errors: ['in_use'],
  doc: 'Deletes a key that nothing uses.',
});

export const getKeyReferences = route({
  method: 'GET',
  path: '/project/{project_id}/keys/{key_id}/refs',
  permission: member(),
  params: KeyParams,
  status: 200,
  answer: References,
  doc: 'What uses a key, and so keeps it from being deleted.',
});

export const testKey = route({
  method: 'POST',
  path: '/project/{project_id}/keys/{key_id}/test',
  permission: member('manage_resources'),
  params: KeyParams,
  body: KeyTest,
  status: 200,
  answer: AccessTest,
  errors: ['unavailable'],
  doc: 'Tries whether a key can be used, and opens a repository if one is named. A runner tries it now.',
});

export const testNewKey = route({
  method: 'POST',
  path: '/project/{project_id}/keys/test',
  permission: member('manage_resources'),
  params: ProjectParams,
  body: KeyToTest,
  status: 200,
  answer: AccessTest,
  errors: ['unavailable'],
  doc: 'Tries a key that is not saved, as `testKey` does. It is not stored, and nothing of it is answered but what an ssh key is told by.',
});
