import { z } from 'zod';
import { changeOf } from '../change.ts';
import { Id, Name } from '../fields.ts';
import { LaunchValues } from './launch-values.ts';

/** Maximum number of shared saved launches of a template, and of those that one user has of it. */
export const MAX_SAVED_LAUNCHES = 100;

const VALUES = 'What its tasks are started with. It has no secret answers. Required answers may be missing.';

/** A name for values with which tasks of a template are started again and again. */
export const SavedLaunch = z.object({
  id: Id,
  project_id: Id,
  template_id: Id,
  name: z.string(),
  shared: z.boolean().describe('Whether every member of the project sees it. Otherwise only the caller does.'),
  launch_values: LaunchValues.describe(VALUES),
});
export type SavedLaunch = z.output<typeof SavedLaunch>;

/** How many saved launches a template has. */
export const SavedLaunchCount = z.object({
  template_id: Id,
  launches: z.number().int().describe('Number of saved launches that the caller sees.'),
});

export const NewSavedLaunch = z.object({
  name: Name,
  shared: z
    .boolean()
    .default(false)
    .describe('Whether every member of the project sees it. Needs the right to edit templates.'),
  launch_values: LaunchValues.default(() => LaunchValues.parse({})).describe(`${VALUES} Replaces all stored values.`),
});
export const SavedLaunchChange = changeOf(NewSavedLaunch.shape);
