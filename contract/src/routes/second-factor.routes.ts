import {
  NewSecondFactor,
  RecoveryCodes,
  SecondFactor,
  SecondFactorBody,
  SecondFactorProof,
  SecondFactorSecret,
} from '../entities/second-factor.ts';
import { admin, anyone, route, signedIn } from '../route.ts';
import { UserParams } from './params.ts';

export const enterSecondFactor = route({
  method: 'POST',
  path: '/auth/second-factor',
  permission: anyone,
  body: SecondFactorBody,
  status: 204,
  answer: 'nothing',
  errors: ['not_signed_in', 'wrong_code', 'too_many'],
  doc: 'Completes a sign-in that was answered with `second_factor_needed`: checks the code and sets the session cookie.',
});

export const getSecondFactor = route({
  method: 'GET',
  path: '/user/second-factor',
  permission: signedIn,
  withoutSecondFactor: true,
  status: 200,
  answer: SecondFactor,
  doc: 'The second factor of the caller, without its secret.',
});

export const beginSecondFactor = route({
  method: 'POST',
  path: '/user/second-factor',
  permission: signedIn,
  withoutSecondFactor: true,
  body: NewSecondFactor,
  status: 200,
  answer: SecondFactorSecret,
  errors: ['not_permitted', 'conflict', 'too_many'],
  doc: 'Creates the secret of a second factor for the caller. It has no effect until it is confirmed.',
});

export const confirmSecondFactor = route({
  method: 'POST',
  path: '/user/second-factor/confirm',
  permission: signedIn,
  withoutSecondFactor: true,
  body: SecondFactorBody,
  status: 200,
  answer: RecoveryCodes,
  errors: ['not_permitted', 'conflict', 'too_many'],
  doc: 'Turns on the new second factor with a first code, and ends every other session of the caller.',
});

export const renewRecoveryCodes = route({
  method: 'POST',
  path: '/user/second-factor/recovery-codes',
  permission: signedIn,
  body: SecondFactorProof,
  status: 200,
  answer: RecoveryCodes,
  errors: ['not_permitted', 'conflict', 'too_many'],
  doc: 'Creates new recovery codes for the caller. The previous ones stop working.',
});

export const turnOffSecondFactor = route({
  method: 'POST',
  path: '/user/second-factor/off',
  permission: signedIn,
  body: SecondFactorProof,
  status: 204,
  answer: 'nothing',
  errors: ['not_permitted', 'conflict', 'too_many'],
  doc: 'Turns off the second factor of the caller and deletes its secret and recovery codes.',
});

export const resetSecondFactor = route({
  method: 'DELETE',
  path: '/users/{user_id}/second-factor',
  permission: admin,
  params: UserParams,
  status: 204,
  answer: 'nothing',
  errors: ['not_found', 'conflict'],
  doc: 'Removes the second factor of another user and ends the sessions of this user.',
});
