import { z } from 'zod';
import { changeOf } from '../change.ts';
import { DayText, Id, Name, OptionalId, text } from '../fields.ts';
import { EndReasonCode } from '../messages/end-reasons.ts';
import { TaskStatus } from '../status.ts';

/** Maximum number of shared saved filters of a project, and of those that one user has in it. */
export const MAX_SAVED_FILTERS = 20;

/** Maximum number of days of a saved filter. */
const MAX_FILTER_DAYS = 3650;

/** Conditions that the tasks of a saved filter fulfil. */
const FilterConditions = z.object({
  search: text(200).default('').describe('Search terms, each of which the row of a task contains.'),
  status: TaskStatus.nullable().default(null).describe('Null for any status.'),
  end_reason: EndReasonCode.nullable().default(null).describe('Null for any reason.'),
  template_id: OptionalId.default(null).describe('Null for all templates.'),
  user_id: OptionalId.default(null).describe('The user who started the tasks; null for all users.'),
  days: z
    .int()
    .min(1)
    .max(MAX_FILTER_DAYS)
    .nullable()
    .default(null)
    .describe('Number of days including today on which the tasks were created; null for any day.'),
  from: DayText.nullable()
    .default(null)
    .describe('First day on which the tasks were created, in the time zone of the user; null for any day.'),
  to: DayText.nullable()
    .default(null)
    .describe('Last day on which the tasks were created, in the time zone of the user; null for any day.'),
});

/** A name for a filter of the history. */
export const SavedFilter = z.object({
  id: Id,
  project_id: Id,
  name: z.string(),
  shared: z.boolean().describe('Whether members of the project see it. Otherwise only the caller does.'),
  filter: FilterConditions.describe('What the tasks of the filter fulfil. Every condition counts.'),
});
export type SavedFilter = z.output<typeof SavedFilter>;

export const NewSavedFilter = z.object({
  name: Name,
  shared: z
    .boolean()
    .default(false)
    .describe('Whether members of the project see it. Needs the right to edit templates.'),
  filter: FilterConditions.default(() => FilterConditions.parse({})).describe('Replaces all stored conditions.'),
});
export const SavedFilterChange = changeOf(NewSavedFilter.shape);
