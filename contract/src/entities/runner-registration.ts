import { z } from 'zod';
import { Id, LineText, MomentText, Name, text } from '../fields.ts';
import { Runner } from './runner.ts';
import { RunnerTags } from './runner-tags.ts';

const HOUR_S = 60 * 60;
const YEAR_S = 366 * 24 * HOUR_S;

/** Maximum number of runners that can register with one token. */
export const MAX_REGISTRATIONS = 1000;

const Uses = z.int().min(1).max(MAX_REGISTRATIONS);

/** A token with which runners register. */
export const RunnerRegistration = z.object({
  id: Id,
  name: Name,
  tags: z.array(z.string()).describe('The tags of the runners that register with it.'),
  uses: Uses.describe('How many runners can register with it in total.'),
  uses_left: z.int().describe('How many more runners can register with it.'),
  expires: MomentText.describe('When it stops working.'),
  expired: z.boolean().describe('Whether it has stopped working because its time is over.'),
  created: MomentText,
  created_by: z.string().describe('Name of the user who created it; empty if the user was deleted.'),
  creator_is_admin: z.boolean().describe('Whether its creator is an admin. If not, the token does not work.'),
});
export type RunnerRegistration = z.infer<typeof RunnerRegistration>;

export const NewRunnerRegistration = z.object({
  name: Name.describe('What the token is for.'),
  tags: RunnerTags.default([]).describe('The tags of the runners that register with it.'),
  uses: Uses.default(1).describe('How many runners can register with it.'),
  valid_seconds: z
    .int()
    .min(60)
    .max(YEAR_S)
    .default(HOUR_S)
    .describe('How long the token works, in seconds. Default: one hour; maximum: 366 days.'),
});

/** The only response that contains the registration token. */
export const CreatedRunnerRegistration = RunnerRegistration.extend({
  token: z.string().describe('The registration token. Only returned once; stored hashed.'),
});

/** What a program sends to become a runner. */
export const RunnerToRegister = z.object({
  token: z.string().min(1).max(200).describe('The registration token.'),
  name: Name.nullable().default(null).describe('Name of the runner; null to make one from `host_name`.'),
  description: text(1000).trim().default('').describe('What the runner is for, such as its network.'),
  ephemeral: z
    .boolean()
    .default(false)
    .describe('Whether the runner is deleted when it has ended, or after a day without contact.'),
  host_name: LineText.default('').describe(
    'Name of the machine. A runner name made from it gets a number if it is taken.',
  ),
});

/** The only response that contains the token of the new runner. */
export const RegisteredRunner = Runner.pick({ id: true, name: true, tags: true }).extend({
  token: z.string().describe('Token of the runner. Only returned once; stored hashed.'),
});
