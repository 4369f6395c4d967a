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
  doc: 'Ends a sign-in that was answered `second_factor_needed`: takes the code, and sets the session cookie.',
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
  doc: 'Makes the secret of a second factor of the caller; it counts for nothing until it is confirmed.',
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
  doc: 'Turns on the second factor that was begun, with a first code of it, and ends every other session of the caller.',
});

export const renewRecoveryCodes = route({
  method: 'POST',
  path: '/user/second-factor/recovery-codes',
  permission: signedIn,
  body: SecondFactorProof,
  status: 200,
  answer: RecoveryCodes,
  errors: ['not_permitted', 'conflict', 'too_many'],
  doc: 'Makes new recovery codes of the caller; those before are void.',
});

export const turnOffSecondFactor = route({
  method: 'POST',
  path: '/user/second-factor/off',
  permission: signedIn,
  body: SecondFactorProof,
  status: 204,
  answer: 'nothing',
  errors: ['not_permitted', 'conflict', 'too_many'],
  doc: 'Turns off the second factor of the caller; its secret and its recovery codes are deleted.',
});

export const resetSecondFactor = route({
  method: 'DELETE',
  path: '/users/{user_id}/second-factor',
  permission: admin,
  params: UserParams,
  status: 204,
  answer: 'nothing',
  errors: ['not_found', 'conflict'],
  doc: 'Takes the second factor from another user who has lost it, and ends their sessions.',
});
