import { z } from 'zod';
import { CreatedRunner, NewRunner, Runner, RunnerChange, RunnerDetails } from '../entities/runner.ts';
import { REFUSED_FOR_RUNNER } from '../refused-fields.ts';
import { admin, route } from '../route.ts';
import { RunnerParams } from './params.ts';

export const listRunners = route({
  method: 'GET',
  path: '/runners',
  permission: admin,
  status: 200,
  answer: z.array(Runner),
  doc: 'All runners, by name.',
});

export const createRunner = route({
  method: 'POST',
  path: '/runners',
  permission: admin,
  body: NewRunner,
  refuses: REFUSED_FOR_RUNNER,
  status: 201,
  answer: CreatedRunner,
  errors: ['conflict'],
  doc: 'Creates a runner. Its token is only returned by this call.',
});

export const getRunner = route({
  method: 'GET',
  path: '/runners/{runner_id}',
  permission: admin,
  params: RunnerParams,
  status: 200,
  answer: RunnerDetails,
  errors: ['not_found'],
  doc: 'Returns a runner with its current tasks and the last ones.',
});

export const drainRunner = route({
  method: 'POST',
  path: '/runners/{runner_id}/drain',
  permission: admin,
  params: RunnerParams,
  status: 204,
  answer: 'nothing',
  errors: ['not_found', 'conflict'],
  doc: 'Asks a connected runner to finish its tasks and to end. It gets no more tasks, also if it is connected to another server. A process that is started afterwards gets tasks again. Refused for local runners, because their servers would start them again.',
});

export const updateRunner = route({
  method: 'PUT',
  path: '/runners/{runner_id}',
  permission: admin,
  params: RunnerParams,
  body: RunnerChange,
  refuses: REFUSED_FOR_RUNNER,
  status: 204,
  answer: 'nothing',
  errors: ['not_found', 'conflict'],
  doc: 'Changes a runner. The next task that it gets is one that the new settings permit; tasks that it runs continue.',
});

export const deleteRunner = route({
  method: 'DELETE',
  path: '/runners/{runner_id}',
  permission: admin,
  params: RunnerParams,
  status: 204,
  answer: 'nothing',
  errors: ['not_found', 'conflict'],
  doc: 'Deletes a runner and revokes its token immediately. Its tasks fail, and its later messages are ignored.',
});
