import type { Schedule } from '@signalbox/contract';
import { ApiError } from '../../../api/api-error.ts';
import { call } from '../../../api/call.ts';
import { type ScheduleValues, scheduleBody, scheduleStep } from './schedule-values.ts';
import { type TemplateValues, templateBody } from './template-values.ts';

export interface TemplateForm extends TemplateValues {
  schedule: ScheduleValues;
}

/** Only the server can validate a cron expression. An error is shown at the field before the template is saved. */
export const checkCron = async (project_id: number, cron_format: string): Promise<void> => {
  if (cron_format.trim() === '') return;
  try {
    await call('validateSchedule', { params: { project_id }, body: { cron_format: cron_format.trim() } });
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 400) throw error;
    const { error: message = error.message, code = '', params } = error.answer;
    throw new ApiError(error.status, error.statusText, {
      ...error.answer,
      fields: { cron_format: message },
      field_codes: { cron_format: { code, params } },
    });
  }
};

const saveSchedule = async (
  project_id: number,
  template: number,
  schedules: readonly Schedule[],
  values: ScheduleValues,
): Promise<void> => {
  const params = { project_id };
  const what = scheduleStep(schedules, values.cron_format);
  const body = scheduleBody(values, template);
  if (what.step === 'create') await call('createSchedule', { params, body });
  if (what.step === 'update') await call('updateSchedule', { params: { ...params, schedule_id: what.id }, body });
  if (what.step === 'delete') await call('deleteSchedule', { params: { ...params, schedule_id: what.id } });
};

/** Saves a template and the schedule in its form. Returns the id of the template. */
export const saveTemplate = async (
  project_id: number,
  id: number | undefined,
  schedules: readonly Schedule[],
  values: TemplateForm,
): Promise<number> => {
  const params = { project_id };
  if (schedules.length < 2) await checkCron(project_id, values.schedule.cron_format);
  const body = templateBody(values);
  const saved = id ?? (await call('createTemplate', { params, body })).id;
  if (id !== undefined) await call('updateTemplate', { params: { ...params, template_id: id }, body });
  await saveSchedule(project_id, saved, schedules, values.schedule);
  return saved;
};
