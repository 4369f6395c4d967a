import { z } from 'zod';
import { InstalledApp } from '../apps/apps.ts';
import { Id, MomentText, Name } from '../fields.ts';

/** A machine, or a user of one, that executes tasks. */
export const Runner = z.object({
  id: Id,
  name: Name,
  local: z.boolean().describe('Whether the server itself starts it.'),
  connected: z.boolean().describe('Whether it has a link to the server that answers.'),
  draining: z
    .boolean()
    .describe(
      'The runner finishes its tasks and accepts no more, because it speaks another protocol or was asked to stop.',
    ),
  version: z.string().describe('Empty while it is not connected.'),
  apps: z.array(InstalledApp).describe('The apps that it can run; none while it is not connected.'),
  ansible: z.string().describe('Version of ansible-core on it; empty while it is not connected or has none.'),
  run_as: z
    .string()
    .nullable()
    .describe('The user as whom it executes tasks; null for the user that it runs as itself.'),
  slots: z.int().describe('Tasks that it takes at once.'),
  tasks: z.int().describe('Tasks that it has now.'),
  created: MomentText,
  duplicate_seen: MomentText.nullable().describe(
    'When another process with the same token was refused, within the last day; null where there was none.',
  ),
});
export type Runner = z.infer<typeof Runner>;

export const NewRunner = z.object({ name: Name });

/** The only answer that holds the token. */
export const CreatedRunner = Runner.extend({
  token: z.string().describe('What the runner proves itself with. Shown this once; it is stored hashed.'),
});
