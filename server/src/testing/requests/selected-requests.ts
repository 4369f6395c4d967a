import type { RouteName } from '@signalbox/contract';
import { type MakeRequest, made, newTask } from './request.ts';

const ofTemplate =
  (more: object = {}): MakeRequest =>
  async ({ sample }) => ({ body: { ids: [await sample.template()], ...more } });

/** Valid requests for the calls about selected objects. */
export const SELECTED_REQUESTS = {
  runTemplates: ofTemplate(),
  changeTemplates: ofTemplate({ view_id: null }),
  copyTemplates: ofTemplate(),
  deleteTemplates: ofTemplate(),
  stopTasks: async (deps) => ({ body: { ids: [await newTask(deps)] } }),
  deleteTasks: async (deps) => {
    const id = await newTask(deps);
    await deps.admin.post(`${deps.sample.base}/tasks/${id}/stop`, {});
    return { body: { ids: [id] } };
  },
  activateSchedules: async ({ admin, sample }, name) => {
    const schedule = { name, cron_format: '@yearly', template_id: await sample.template() };
    return { body: { ids: [await made(admin, `${sample.base}/schedules`, schedule)], active: false } };
  },
} as const satisfies Partial<Record<RouteName, MakeRequest>>;
