import { NewTask } from '@signalbox/contract';
import { ApiError } from '../../../http/errors/api-error.ts';
import type { CheckLaunchValues } from '../../../stored-answers/launch-checks.ts';
import { checkRequest } from './task-launch.ts';

/**
 * Checks values with which tasks will be started later, as a launch would.
 * @throws the errors of a launch, with fields below `launch_values`
 */
export const checkLaunchValues: CheckLaunchValues = async (tx, check) => {
  const template = await tx
    .selectFrom('template')
    .selectAll()
    .where('id', '=', check.templateId)
    .where('project_id', '=', check.projectId)
    .executeTakeFirst();
  // The caller has checked that the template exists; it may have been deleted since.
  if (!template) throw new ApiError('not_found');
  try {
    await checkRequest(tx, template, NewTask.parse({ ...check.values, template_id: template.id }), check.mayOverride);
  } catch (error) {
    if (!(error instanceof ApiError) || error.fields === undefined) throw error;
    const fields = Object.entries(error.fields).map(([name, why]) => [`launch_values.${name}`, why] as const);
    throw ApiError.ofFields(Object.fromEntries(fields));
  }
};
