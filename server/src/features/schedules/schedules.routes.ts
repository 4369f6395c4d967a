import type { Schedule, Sorting } from '@signalbox/contract';
import type { StateReader } from '../../database/database.ts';
import { belongsTo } from '../../database/queries/same-project.ts';
import { checkCron } from '../../due-times/check-cron.ts';
import { type Handlers, hiddenFrom } from '../../http/calls/call.ts';
import { callersProjects, seesTemplate } from '../../http/calls/callers-projects.ts';
import { notFound } from '../../http/errors/api-error.ts';
import { orTaken } from '../../http/errors/taken.ts';
import { eachPermitted, templateIn } from '../../http/objects/each-selected.ts';
import { deleteObject, type ObjectKind } from '../../http/objects/project-object.ts';
import { sorted } from '../../http/objects/sorted.ts';
import { readSurveys } from '../../stored-answers/survey.ts';
import { mapInSlices } from '../../work-slice.ts';
import { presentSchedule } from './schedule.read-model.ts';
import { changeEvent, insertSchedule, labelOf, type ScheduleRow } from './schedule.store.ts';
import { scheduleAnswers } from './schedule-answers.ts';
import { type ChangeDeps, changeSchedule, checkSchedule } from './schedule-change.ts';
import { readFreezes } from './schedule-freezes.ts';
import { listScheduleOutcomes } from './schedule-outcomes.ts';
import { namedLaunches, valuesOf } from './schedule-saved-launch.ts';
import { readValues } from './schedule-values.ts';
import { scheduleWeek } from './schedule-week.ts';

interface Deps extends ChangeDeps {
  /** Called when due times have changed. */
  readonly changed: () => void;
}

type ScheduleRoutes =
  | 'listAllSchedules'
  | 'listSchedules'
  | 'listScheduleOutcomes'
  | 'getScheduleWeek'
  | 'listTemplateSchedules'
  | 'createSchedule'
  | 'validateSchedule'
  | 'getSchedule'
  | 'updateSchedule'
  | 'activateSchedules'
  | 'deleteSchedule';

export const schedulesRoutes = (deps: Deps): Pick<Handlers, ScheduleRoutes> => {
  const { database, clock, master, timezone, changed } = deps;
  const presentAll = async (db: StateReader, rows: readonly ScheduleRow[]): Promise<Schedule[]> => {
    const now = clock.now();
    const secrets = await scheduleAnswers.names(db, rows);
    const launches = await namedLaunches(db, rows);
    const finderOf = await readFreezes(db, rows, launches, now);
    const surveys = await readSurveys(db, rows);
    return await mapInSlices(rows, (row) =>
      presentSchedule(row, {
        secretAnswers: secrets.get(row.id) ?? [],
        values: valuesOf(row, launches),
        survey: surveys.get(row.template_id) ?? [],
        findFreeze: finderOf(row),
        timezone,
        now,
      }),
    );
  };
  const present = async (db: StateReader, row: ScheduleRow): Promise<Schedule> => {
    const [presented] = await presentAll(db, [row]);
    return presented as Schedule;
  };
  const kind: ObjectKind<'schedule'> = {
    table: 'schedule',
    code: 'schedule',
    taken: () => ({ code: 'conflict.schedule_exists' }),
    name: labelOf,
    changeEvent,
    present,
  };

  const schedules = (projectId: number) =>
    database.read.selectFrom('schedule').selectAll().where('project_id', '=', projectId);

  const templateNames = async (projectId: number): Promise<ReadonlyMap<number, string>> => {
    const templates = await database.read
      .selectFrom('template')
      .select(['id', 'name'])
      .where('project_id', '=', projectId)
      .execute();
    return new Map(templates.map(({ id, name }) => [id, name]));
  };

  const answer = async (query: ReturnType<typeof schedules>, projectId: number, sorting: Sorting) => {
    const rows = await presentAll(database.read, await query.execute());
    const names = sorting.sort === 'template' ? await templateNames(projectId) : undefined;
    return sorted(rows, sorting, 'name', (row, column) => {
      if (column === 'template') return names?.get(row.template_id);
      return column === 'next_time'
        ? row.next_times[0]
        : row[column as 'name' | 'cron_format' | 'active' | 'last_fired'];
    });
  };

  return {
    listAllSchedules: async ({ caller }) => {
      const projects = await callersProjects(database.read, caller);
      if (projects?.size === 0) return [];
      const rows = await database.read
        .selectFrom('schedule')
        .innerJoin('project', 'project.id', 'schedule.project_id')
        .innerJoin('template', 'template.id', 'schedule.template_id')
        .selectAll('schedule')
        .select(['project.name as project_name', 'template.name as template_name'])
        .$if(projects !== undefined, (qb) => qb.where('schedule.project_id', 'in', [...(projects?.keys() ?? [])]))
        .orderBy('project.name')
        .orderBy('schedule.name')
        .orderBy('schedule.id')
        .execute();
      const visible = rows.filter((row) => seesTemplate(projects, row));
      const presented = await presentAll(database.read, visible);
      return presented.map((schedule, n) => ({
        ...schedule,
        project_name: visible[n]?.project_name ?? '',
        template_name: visible[n]?.template_name ?? '',
      }));
    },

    listSchedules: ({ params, query, membership }) => {
      const hidden = [...hiddenFrom(membership)];
      const visible = schedules(params.project_id).$if(hidden.length > 0, (qb) =>
        qb.where('template_id', 'not in', hidden),
      );
      return answer(visible, params.project_id, query);
    },

    listScheduleOutcomes: ({ params, membership }) =>
      listScheduleOutcomes(database, params.project_id, hiddenFrom(membership)),

    getScheduleWeek: ({ params, query, membership }) =>
      scheduleWeek(database, params.project_id, {
        ...query,
        timezone,
        now: clock.now(),
        hidden: hiddenFrom(membership),
      }),

    listTemplateSchedules: async ({ params, query }) => {
      const { project_id, template_id } = params;
      if (!(await belongsTo(database.read, 'template', template_id, project_id))) throw notFound();
      return await answer(schedules(project_id).where('template_id', '=', template_id), project_id, query);
    },

    createSchedule: async ({ params, body, actor, membership }) => {
      await checkSchedule(database.read, deps, params.project_id, body, true);
      const row = await orTaken(
        database,
        () => ({ code: 'conflict.schedule_exists' }),
        () =>
          database.write(async (tx) => {
            const given = await readValues(tx, deps, { projectId: params.project_id, membership, input: body });
            const stored = { ...body, ...given.columns };
            const inserted = await insertSchedule(tx, params.project_id, stored, timezone, actor, clock.now());
            await scheduleAnswers.store(tx, master, inserted.id, given.secrets);
            return inserted;
          }),
      );
      changed();
      return present(database.read, row);
    },

    validateSchedule: async ({ body }) => checkCron(body.cron_format, timezone),

    getSchedule: async ({ params }) => {
      const row = await schedules(params.project_id).where('id', '=', params.schedule_id).executeTakeFirst();
      if (!row) throw notFound();
      return present(database.read, row);
    },

    updateSchedule: async (call) => {
      await changeSchedule(deps, kind, call, call.params.schedule_id, call.body);
      changed();
    },

    activateSchedules: async (call) => {
      const { active } = call.body;
      const templateOf = templateIn(database.read, 'schedule', call.params.project_id);
      const outcome = await eachPermitted(call, templateOf, async (id, permitted) => {
        const row = await schedules(call.params.project_id).where('id', '=', id).executeTakeFirst();
        if (row && (row.active === 1) !== active) await changeSchedule(deps, kind, permitted, id, { active });
      });
      changed();
      return outcome;
    },

    deleteSchedule: (call) => deleteObject({ database, clock }, kind, call, call.params.schedule_id),
  };
};
