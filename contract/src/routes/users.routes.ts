import { z } from 'zod';
import { AlertTest } from '../entities/alert.ts';
import {
  AddressProof,
  ApiToken,
  CreatedApiToken,
  CurrentUser,
  NewApiToken,
  NewPassword,
  NewServiceAccount,
  NewUser,
  OwnedApiToken,
  User,
  UserChange,
} from '../entities/user.ts';
import { admin, route, self, signedIn } from '../route.ts';
import { sortedBy } from '../sorting.ts';
import { TokenNumberParams, TokenParams, UserParams } from './params.ts';

export const currentUser = route({
  method: 'GET',
  path: '/user',
  permission: signedIn,
  withoutSecondFactor: true,
  status: 200,
  answer: CurrentUser,
  doc: 'The user who asks.',
});

export const listTokens = route({
  method: 'GET',
  path: '/user/tokens',
  permission: signedIn,
  status: 200,
  answer: z.array(ApiToken),
  doc: 'The API tokens of the caller, without the tokens themselves.',
});

export const createToken = route({
  method: 'POST',
  path: '/user/tokens',
  permission: signedIn,
  body: NewApiToken.default({
    name: 'API token',
    scopes: ['everything'],
    projects: null,
    templates: null,
    expires_at: null,
  }),
  status: 201,
  answer: CreatedApiToken,
  errors: ['not_permitted', 'too_many'],
  doc: 'Creates an API token with at most the permissions of the caller. It is only returned by this call. Refused for API tokens.',
});

export const deleteToken = route({
  method: 'DELETE',
  path: '/user/tokens/{token_id}',
  permission: signedIn,
  params: TokenParams,
  status: 204,
  answer: 'nothing',
  errors: ['not_found'],
  doc: 'Revokes an API token of the caller.',
});

export const listAllTokens = route({
  method: 'GET',
  path: '/tokens',
  permission: admin,
  query: sortedBy('name', 'username', 'created', 'last_used', 'expires_at'),
  status: 200,
  answer: z.array(OwnedApiToken),
  doc: 'The API tokens of all users by name, without the tokens themselves.',
});

export const revokeToken = route({
  method: 'DELETE',
  path: '/tokens/{token_number}',
  permission: admin,
  params: TokenNumberParams,
  status: 204,
  answer: 'nothing',
  errors: ['not_found'],
  doc: 'Revokes an API token of any user.',
});

export const requestAddressProof = route({
  method: 'POST',
  path: '/user/email/proof',
  permission: signedIn,
  status: 200,
  answer: AlertTest,
  errors: ['not_permitted', 'conflict', 'too_many'],
  doc: 'Sends a confirmation link to the unconfirmed email address of the caller. The link works once, within 24 hours, and only for the caller. Maximum: 5 emails and refusals an hour. Refused for API tokens.',
});

export const confirmAddress = route({
  method: 'POST',
  path: '/user/email/confirm',
  permission: signedIn,
  body: AddressProof,
  status: 204,
  answer: 'nothing',
  errors: ['not_permitted', 'conflict'],
  doc: 'Confirms the email address of the caller with the token of a confirmation link. Refused for API tokens.',
});

export const listUsers = route({
  method: 'GET',
  path: '/users',
  permission: signedIn,
  query: sortedBy('name', 'username', 'email', 'admin', 'external', 'alert', 'can_create_project', 'second_factor'),
  status: 200,
  answer: z.array(User),
  doc: 'All users by name. Users who are not system admins get id, username and name only.',
});

export const createUser = route({
  method: 'POST',
  path: '/users',
  permission: admin,
  body: NewUser,
  status: 201,
  answer: User,
  errors: ['conflict'],
  doc: 'Makes a user.',
});

export const createServiceAccount = route({
  method: 'POST',
  path: '/users/service',
  permission: admin,
  body: NewServiceAccount,
  status: 201,
  answer: User,
  errors: ['conflict'],
  doc: 'Creates a service account: a user who has API tokens, but no password and no way to sign in.',
});

export const createServiceToken = route({
  method: 'POST',
  path: '/users/{user_id}/tokens',
  permission: admin,
  params: UserParams,
  body: NewApiToken,
  status: 201,
  answer: CreatedApiToken,
  errors: ['not_found', 'conflict', 'too_many'],
  doc: 'Creates an API token of a service account. It is only returned by this call. Refused for API tokens.',
});

export const getUser = route({
  method: 'GET',
  path: '/users/{user_id}',
  permission: signedIn,
  params: UserParams,
  status: 200,
  answer: User,
  errors: ['not_found'],
  doc: 'One user. Only system admins and the user get more than id, username and name.',
});

export const updateUser = route({
  method: 'PUT',
  path: '/users/{user_id}',
  permission: self,
  params: UserParams,
  body: UserChange,
  status: 204,
  answer: 'nothing',
  errors: ['not_found', 'conflict', 'too_many'],
  doc: 'Changes a user. Fields that only system admins may change are refused for other users unless unchanged. A new password, or a new email address of the caller, requires `current_password` and is refused for API tokens.',
});

export const deleteUser = route({
  method: 'DELETE',
  path: '/users/{user_id}',
  permission: admin,
  params: UserParams,
  status: 204,
  answer: 'nothing',
  errors: ['not_found', 'conflict'],
  doc: 'Deletes a user. Refused for the caller and for the only owner of a project.',
});

export const changePassword = route({
  method: 'POST',
  path: '/users/{user_id}/password',
  permission: self,
  params: UserParams,
  body: NewPassword,
  status: 204,
  answer: 'nothing',
  errors: ['not_found', 'conflict', 'too_many'],
  doc: 'Sets a new password, ends every other session of the user, and revokes the API tokens of the user unless `end_tokens` is false. Refused for API tokens.',
});
