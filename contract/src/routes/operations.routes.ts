import { z } from 'zod';
import { admin, anyone, route } from '../route.ts';

export const ready = route({
  method: 'GET',
  path: '/ready',
  permission: anyone,
  status: 200,
  answer: z.object({
    status: z.literal('ready').describe('Always `ready`; a server that is not ready responds with 503.'),
    runners: z
      .int()
      .describe(
        'Number of runners that are connected to this server, or to another one of its database. With 0, tasks wait.',
      ),
    notices: z
      .enum(['connected', 'lost', 'none'])
      .describe(
        'Whether the servers of a PostgreSQL database notify each other; while this is `lost`, pages get updates late. `none` with SQLite.',
      ),
  }),
  errors: ['unavailable'],
  doc: 'Succeeds if the server accepts requests, its database responds, and no newer version has changed the database in a way that this one does not support; else 503. For load balancers.',
});

export const metrics = route({
  method: 'GET',
  path: '/metrics',
  permission: admin,
  callKind: 'metrics',
  status: 200,
  answer: { stream: 'text/plain' },
  errors: ['unavailable'],
  doc: 'Metrics for Prometheus about tasks, runners, calls and the process. Requires an API token of a system admin.',
});
