import { z } from 'zod';
import {
  CreatedRunnerRegistration,
  NewRunnerRegistration,
  RegisteredRunner,
  RunnerRegistration,
  RunnerToRegister,
} from '../entities/runner-registration.ts';
import { admin, anyone, route } from '../route.ts';
import { RunnerParams, RunnerRegistrationParams } from './params.ts';

const REGISTRATIONS = '/runners/registrations';

export const listRunnerRegistrations = route({
  method: 'GET',
  path: REGISTRATIONS,
  permission: admin,
  status: 200,
  answer: z.array(RunnerRegistration),
  doc: 'The registration tokens of runners, newest first, also used and expired ones. Those that expired more than 30 days ago are deleted.',
});

export const createRunnerRegistration = route({
  method: 'POST',
  path: REGISTRATIONS,
  permission: admin,
  body: NewRunnerRegistration,
  status: 201,
  answer: CreatedRunnerRegistration,
  doc: 'Creates a registration token. It is only returned by this call.',
});

export const revokeRunnerRegistration = route({
  method: 'DELETE',
  path: `${REGISTRATIONS}/{registration_id}`,
  permission: admin,
  params: RunnerRegistrationParams,
  status: 204,
  answer: 'nothing',
  errors: ['not_found'],
  doc: 'Revokes a registration token. Runners that registered with it continue to work.',
});

export const registerRunner = route({
  method: 'POST',
  path: '/runners/register',
  permission: anyone,
  body: RunnerToRegister,
  status: 201,
  answer: RegisteredRunner,
  errors: ['not_signed_in', 'conflict', 'too_many'],
  doc: 'Registers a runner with a registration token, which is the only permission that counts. The token of the runner is only returned by this call. 401 for a token that is wrong, used up, expired or revoked, or whose creator is no longer an admin.',
});

export const rotateRunnerToken = route({
  method: 'POST',
  path: '/runners/{runner_id}/rotate',
  permission: admin,
  params: RunnerParams,
  status: 204,
  answer: 'nothing',
  errors: ['not_found'],
  doc: 'Replaces the token of a registered runner now, or as soon as it is connected. A runner whose token is in a file of an administrator keeps this token.',
});
