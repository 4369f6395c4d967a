import { z } from 'zod';
import { InstalledApp } from '../apps/apps.ts';
import { changeOf } from '../change.ts';
import { Id, Moment, MomentText, Name, text } from '../fields.ts';
import { ProvidedEnvironment } from './execution-environment.ts';
import { RunnerTags } from './runner-tags.ts';
import { Task } from './task.ts';

/** A process that executes tasks. */
export const Runner = z.object({
  id: Id,
  name: Name,
  tags: z.array(z.string()).describe('It runs the tasks whose runner tags it has, all of them.'),
  description: z.string(),
  paused: z.boolean().describe('Whether it gets no new task and no query. Its running tasks continue.'),
  projects: z.array(Id).nullable().describe('Ids of the projects whose tasks it takes; null for all projects.'),
  local: z.boolean().describe('Whether the server starts it.'),
  ephemeral: z.boolean().describe('Whether it takes one task and is then deleted.'),
  connected: z.boolean().describe('Whether it is connected to a server and responds.'),
  draining: z
    .boolean()
    .describe(
      'The runner finishes its tasks and accepts no more, because it uses a different protocol version or was asked to stop.',
    ),
  last_contact: MomentText.nullable().describe(
    'When it was last connected, to a few minutes; the time of the answer while it is connected. Null if it never was.',
  ),
  version: z.string().describe('Its version. This and the following fields are what it last reported.'),
  apps: z.array(InstalledApp).describe('The apps that it can run; empty if it was never connected.'),
  environments: z
    .array(ProvidedEnvironment)
    .describe('The kinds of execution environments that it can provide; empty if it was never connected.'),
  ansible: z.string().describe('Its version of ansible-core; empty without Ansible.'),
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

/** A task in the lists of a runner. */
const RunnerTask = Task.pick({
  id: true,
  project_id: true,
  template_id: true,
  tpl_alias: true,
}).extend({
  status: Task.shape.status.describe('Status of the task.'),
  project_name: z.string().describe('Name of the project.'),
  created: Moment,
  start: Moment.nullable().describe('When a runner started it; null before.'),
  end: Moment.nullable().describe('When it ended; null before.'),
});
export type RunnerTask = z.infer<typeof RunnerTask>;

/** A runner with its tasks. */
export const RunnerDetails = Runner.extend({
  current_tasks: z.array(RunnerTask).describe('The tasks that it executes or is about to accept, newest first.'),
  last_tasks: z.array(RunnerTask).describe('The last 20 tasks that it executed and that have ended, newest first.'),
});
export type RunnerDetails = z.infer<typeof RunnerDetails>;

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
