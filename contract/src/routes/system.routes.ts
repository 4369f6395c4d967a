import { Queue } from '../entities/queue.ts';
import { System } from '../entities/system.ts';
import { admin, route } from '../route.ts';

export const getSystem = route({
  method: 'GET',
  path: '/system',
  permission: admin,
  status: 200,
  answer: System,
  errors: ['unavailable'],
  doc: 'The state of the installation: its servers, database, runners, queue and last backup.',
});

export const getQueue = route({
  method: 'GET',
  path: '/queue',
  permission: admin,
  callKind: 'metrics',
  status: 200,
  answer: Queue,
  errors: ['unavailable'],
  doc: 'The waiting tasks by what they need of a runner, and by the reason why they wait. For programs that start and end runners.',
});
