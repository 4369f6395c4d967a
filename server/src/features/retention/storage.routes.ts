import { type DiskSpace, type LogPlacement, MAX_STORAGE_ROWS } from '@signalbox/contract';
import type { Database } from '../../database/database.ts';
import { type Handlers, hiddenFrom } from '../../http/calls/call.ts';
import { mapInSlices } from '../../work-slice.ts';
import { isOutdated } from './outdated-sizes.ts';
import { readProjectSizes } from './project-sizes.ts';
import { type Retention, readRetentions, retentionOf } from './retention-settings.ts';
import { removedBy, type StorageCurve } from './storage-curve.ts';
import { bySize, oldestOf, presentSizes, SIZE_COLUMNS, sumSizes } from './storage-totals.ts';

interface Deps {
  readonly database: Database;
  readonly system: Retention;
  readonly logsIn: LogPlacement;
  /** The disk of the database; null if it is on another machine. */
  readonly disk: () => DiskSpace | null;
  /** When the server next sweeps; undefined while it does. */
  readonly nextSweep: () => Date | undefined;
}

type StorageRoutes = 'getStorage' | 'getFreedStorage' | 'getStorageOfProjects';

/** A forecast further ahead is of no use. */
const MAX_DAYS = 3650;

const daysUntil = (days: number): number | null => (days > MAX_DAYS ? null : days);

export const storageRoutes = ({ database, system, logsIn, disk, nextSweep }: Deps): Pick<Handlers, StorageRoutes> => {
  const { readApart: read } = database;
  const measurement = async (...of: [projectId?: number, hidden?: ReadonlySet<number>]) => ({
    outdated: await isOutdated(read, ...of),
    next_sweep: nextSweep()?.toISOString() ?? null,
  });
  return {
    getStorage: async ({ params: { project_id }, membership }) => {
      const hidden = hiddenFrom(membership);
      const rows = await read
        .selectFrom('template_storage')
        .innerJoin('template', 'template.id', 'template_storage.template_id')
        .select(['template_id', 'template.name', 'measured', ...SIZE_COLUMNS])
        .where('template_storage.project_id', '=', project_id)
        .execute();
      const seen = rows.filter(({ template_id }) => !hidden.has(template_id));
      const settings = new Map((await readRetentions(database, system, project_id)).map((one) => [one.id, one]));
      const templates = seen.flatMap(({ template_id, name, ...row }) => {
        const own = settings.get(template_id);
        if (!own) return [];
        return {
          ...{ template_id, name, ...presentSizes(row) },
          ...{ logs_days: own.logsDays, tasks_days: own.tasksDays, tasks_min: own.leastTasks },
          logs_set_by: own.logsSetBy,
        };
      });
      const hosts = await read
        .selectFrom('project_storage')
        .select('host_bytes')
        .where('project_id', '=', project_id)
        .executeTakeFirst();
      return {
        ...sumSizes(templates),
        host_bytes: hidden.size > 0 ? null : Number(hosts?.host_bytes ?? 0),
        measured: oldestOf(seen.map(({ measured }) => measured)),
        ...(await measurement(project_id, hidden)),
        logs_in: logsIn,
        templates: templates.toSorted(bySize).slice(0, MAX_STORAGE_ROWS),
        total: templates.length,
      };
    },

    getFreedStorage: async ({ params: { project_id }, query, membership }) => {
      const hidden = hiddenFrom(membership);
      const project = {
        keep_tasks_days: query.keep_tasks_days ?? null,
        keep_logs_days: query.keep_logs_days ?? null,
        keep_tasks_min: query.keep_tasks_min ?? null,
      };
      const rows = await read
        .selectFrom('template_storage')
        .innerJoin('template', 'template.id', 'template_storage.template_id')
        .select(['template_id', 'measured', 'curve', 'keep_tasks_days', 'keep_logs_days', 'keep_tasks_min'])
        .where('template_storage.project_id', '=', project_id)
        .execute();
      const seen = rows.filter(({ template_id }) => !hidden.has(template_id));
      const settings = new Map((await readRetentions(database, system, project_id)).map((one) => [one.id, one]));
      const freed = await mapInSlices(seen, ({ template_id, curve: text, ...own }) => {
        const curve = JSON.parse(text) as StorageCurve;
        const now = settings.get(template_id);
        const before = now ? removedBy(curve, now) : { tasks: 0, logs: 0, bytes: 0 };
        const after = removedBy(curve, retentionOf(own, project, system));
        return {
          tasks: Math.max(0, after.tasks - before.tasks),
          logs: Math.max(0, after.logs - before.logs),
          bytes: Math.max(0, after.bytes - before.bytes),
        };
      });
      const sum = (of: 'tasks' | 'logs' | 'bytes') => freed.reduce((total, one) => total + one[of], 0);
      return {
        ...{ tasks: sum('tasks'), logs: sum('logs'), bytes: sum('bytes') },
        measured: oldestOf(seen.map(({ measured }) => measured)),
        system: {
          keep_tasks_days: system.tasksDays,
          keep_logs_days: system.logsDays,
          keep_tasks_min: system.leastTasks,
        },
        ...(await measurement(project_id, hidden)),
      };
    },

    getStorageOfProjects: async () => {
      const projects = await readProjectSizes(read);
      const sizes = sumSizes(projects);
      const space = disk();
      const grows = sizes.growth_per_day > 0;
      return {
        ...sizes,
        host_bytes: projects.reduce((total, { host_bytes }) => total + host_bytes, 0),
        measured: oldestOf(projects.flatMap(({ measured }) => measured ?? [])),
        ...(await measurement()),
        logs_in: logsIn,
        projects: projects.toSorted(bySize).slice(0, MAX_STORAGE_ROWS),
        total: projects.length,
        disk: space,
        full_in_days: space && grows && logsIn === 'database' ? daysUntil(space.free / sizes.growth_per_day) : null,
      };
    },
  };
};
