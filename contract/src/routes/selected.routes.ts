import { z } from 'zod';
import { SelectedIds, SelectionOutcome } from '../entities/selection.ts';
import { SelectedTemplatesChange } from '../entities/selection-change.ts';
import { text } from '../fields.ts';
import { fieldError } from '../messages/field-errors.ts';
import { member, route } from '../route.ts';
import { ProjectParams } from './params.ts';

const ofSelected = {
  method: 'POST',
  params: ProjectParams,
  selects: true,
  status: 200,
  answer: SelectionOutcome,
} as const;

export const runTemplates = route({
  ...ofSelected,
  path: '/project/{project_id}/templates/selected/run',
  permission: member('run_tasks', 'run'),
  body: z.object({ ids: SelectedIds }),
  doc: 'Creates a task of each selected template with its defaults; a deploy takes the newest successful build. Templates that need answers are refused.',
});

export const changeTemplates = route({
  ...ofSelected,
  path: '/project/{project_id}/templates/selected/change',
  permission: member('edit_templates', 'edit'),
  body: SelectedTemplatesChange,
  doc: 'Adds and removes labels of the selected templates, or changes their view or inventory.',
});

export const copyTemplates = route({
  ...ofSelected,
  path: '/project/{project_id}/templates/selected/copy',
  permission: member('edit_templates'),
  body: z.object({
    ids: SelectedIds,
    suffix: text(50)
      .refine((suffix) => suffix.trim() !== '', fieldError('field.required'))
      .default(' (copy)')
      .describe('What is added to the name of each copy. A copy whose name is taken is refused.'),
  }),
  doc: 'Copies the selected templates.',
});

export const deleteTemplates = route({
  ...ofSelected,
  path: '/project/{project_id}/templates/selected/delete',
  permission: member('edit_templates'),
  body: z.object({ ids: SelectedIds }),
  doc: 'Deletes the selected templates. Each is deleted as `deleteTemplate` deletes it, or refused for the same reasons.',
});

export const deleteTasks = route({
  ...ofSelected,
  path: '/project/{project_id}/tasks/selected/delete',
  permission: member('update_project'),
  body: z.object({ ids: SelectedIds }),
  doc: 'Deletes the selected tasks with their logs. Tasks that have not ended are refused.',
});

export const activateSchedules = route({
  ...ofSelected,
  path: '/project/{project_id}/schedules/selected/active',
  permission: member('edit_schedules'),
  body: z.object({ ids: SelectedIds, active: z.boolean().describe('False pauses the schedules.') }),
  doc: 'Pauses or resumes the selected schedules. Each is changed as `updateSchedule` changes it.',
});
