import { z } from 'zod';
import { Id } from '../fields.ts';
import { TaskStatus } from '../status.ts';

/** Maximum number of hits of each kind. */
export const MAX_HITS = 8;

export const SearchKind = z.enum([
  'template',
  'task',
  'host',
  'inventory',
  'key',
  'repository',
  'environment',
  'schedule',
]);
export type SearchKind = z.infer<typeof SearchKind>;

/** An object that a search found. */
export const SearchHit = z.object({
  kind: SearchKind,
  id: Id,
  project_id: Id,
  project_name: z.string().describe('Name of its project.'),
  name: z.string().describe('Its name; for a task the name of its template.'),
  detail: z.string().describe('Message of a task, template of a schedule; else empty.'),
  status: TaskStatus.nullable().describe(
    'Status of a task, or of the last task of a template; null for other objects.',
  ),
});
export type SearchHit = z.infer<typeof SearchHit>;
