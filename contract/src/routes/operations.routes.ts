import { z } from 'zod';
import { admin, anyone, route } from '../route.ts';

export const ready = route({
  method: 'GET',
  path: '/ready',
  permission: anyone,
  status: 200,
  answer: z.object({
    status: z.literal('ready').describe('Always `ready`; a server that is not ready answers 503.'),
    runners: z.int().describe('Runners that are connected to this server. With 0, tasks wait.'),
  }),
  errors: ['unavailable'],
  doc: 'Answers while the server can do its work: it takes requests, and its database answers. Else 503; whoever shares out requests sends none here then.',
});

export const metrics = route({
  method: 'GET',
  path: '/metrics',
  permission: admin,
  status: 200,
  answer: { stream: 'text/plain' },
  errors: ['unavailable'],
  doc: 'What Prometheus collects: tasks, runners, calls, and the process itself. Asked with an API token of an administrator.',
});
