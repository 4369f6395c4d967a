import type { Clock } from '../../clock.ts';
import type { Database } from '../../database/database.ts';
import { belongsTo } from '../../database/same-project.ts';
import { ApiError, notFound } from '../../http/api-error.ts';
import type { Handlers } from '../../http/call.ts';
import { checkReferences } from '../../http/references.ts';
import { orTaken } from '../../http/taken.ts';
import { CronError, parseCron } from './cron.ts';
import { insertSchedule, presentSchedule, type ScheduleFacts } from './schedule.store.ts';

interface Needs {
  readonly database: Database;
  readonly clock: Clock;
  readonly timezone: string;
  /** Tells the engine that due times are new or other ones. */
  readonly changed: () => void;
}

type ScheduleRoutes = 'listSchedules' | 'listTemplateSchedules' | 'createSchedule' | 'validateSchedule' | 'getSchedule';

/** @throws bad_input that says what is wrong with the cron */
const checkCron = (text: string, timezone: string): void => {
  try {
    parseCron(text, timezone);
  } catch (error) {
    if (!(error instanceof CronError)) throw error;
    throw new ApiError('bad_input', `Cron: ${error.message}.`, { cron_format: error.message });
  }
};

export const schedulesRoutes = ({ database, clock, timezone, changed }: Needs): Pick<Handlers, ScheduleRoutes> => {
  const present = (row: Parameters<typeof presentSchedule>[0]) => presentSchedule(row, timezone, clock.now());

  const schedules = (projectId: number) =>
    database.read.selectFrom('schedule').selectAll().where('project_id', '=', projectId).orderBy('name').orderBy('id');

  const check = async (projectId: number, facts: ScheduleFacts): Promise<void> => {
    checkCron(facts.cron_format, timezone);
    await checkReferences(database.read, projectId, [
      ['template_id', 'template', facts.template_id],
      ['repository_id', 'repository', facts.repository_id],
    ]);
  };

  return {
    listSchedules: async ({ params }) => (await schedules(params.project_id).execute()).map(present),

    listTemplateSchedules: async ({ params }) => {
      if (!(await belongsTo(database.read, 'template', params.template_id, params.project_id))) throw notFound();
      return (await schedules(params.project_id).where('template_id', '=', params.template_id).execute()).map(present);
    },

    createSchedule: async ({ params, body, actor }) => {
      await check(params.project_id, body);
      const row = await orTaken(database, 'There is already such a schedule.', () =>
        database.write((tx) => insertSchedule(tx, params.project_id, body, timezone, actor, clock.now())),
      );
      changed();
      return present(row);
    },

    validateSchedule: async ({ body }) => checkCron(body.cron_format, timezone),

    getSchedule: async ({ params }) => {
      const row = await schedules(params.project_id).where('id', '=', params.schedule_id).executeTakeFirst();
      if (!row) throw notFound();
      return present(row);
    },
  };
};
