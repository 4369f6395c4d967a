import { z } from 'zod';
import { InstalledApp } from '../apps/apps.ts';
import { changeOf } from '../change.ts';
import { Id, MomentText, Name, text } from '../fields.ts';
import { RunnerTags } from './runner-tags.ts';

/** A process that executes tasks. */
export const Runner = z.object({
  id: Id,
  name: Name,
  tags: z.array(z.string()).describe('It runs the tasks whose runner tags it has, all of them.'),
  description: z.string(),
  paused: z.boolean().describe('Whether it gets no new task and no query. Its running tasks continue.'),
  projects: z.array(Id).nullable().describe('Ids of the projects whose tasks it takes; null for all projects.'),
  local: z.boolean().describe('Whether the server starts it.'),
  connected: z.boolean().describe('Whether it is connected to a server and responds.'),
  draining: z
    .boolean()
    .describe(
      'The runner finishes its tasks and accepts no more, because it uses a different protocol version or was asked to stop.',
    ),
  version: z.string().describe('Empty while it is not connected.'),
  apps: z.array(InstalledApp).describe('The apps that it can run; empty while it is not connected.'),
  ansible: z.string().describe('Its version of ansible-core; empty while it is not connected or without Ansible.'),
  run_as: z.string().nullable().describe('User that executes the tasks; null for the user of the runner.'),
  slots: z.int().describe('Maximum number of tasks at the same time.'),
  tasks: z.int().describe('Current number of tasks.'),
  created: MomentText,
  duplicate_seen: MomentText.nullable().describe(
    'When another process with the same token was refused in the last 24 hours; null without one.',
  ),
});
export type Runner = z.infer<typeof Runner>;

const TAGS = RunnerTags.describe('Its tags; a task that requires tags runs only on a runner that has all of them.');

/** Maximum number of projects that a runner can be limited to. */
const MAX_PROJECTS = 1000;

const SETTINGS = {
  name: Name,
  tags: TAGS.default([]),
  description: text(1000).trim().default('').describe('What the runner is for, such as its network.'),
  paused: z.boolean().default(false).describe('A paused runner gets no new task and no query.'),
  projects: z
    .array(Id)
    .max(MAX_PROJECTS)
    .transform((ids) => [...new Set(ids)].sort((a, b) => a - b))
    .nullable()
    .default(null)
    .describe('Ids of the projects whose tasks it takes. Null for all projects, an empty list for none.'),
};

export const NewRunner = z.object(SETTINGS);

/** What can be changed of a runner. */
export const RunnerChange = changeOf(SETTINGS).omit({ project_id: true });

/** The only response that contains the token. */
export const CreatedRunner = Runner.extend({
  token: z.string().describe('Token of the runner. Only returned once; stored hashed.'),
});
