import { type FreezeWindow, NewFreezeWindow } from '@signalbox/contract';
import type { Clock } from '../../clock.ts';
import type { Database, StateReader, StateTransaction } from '../../database/database.ts';
import type { FreezeWindowRow } from '../../freeze/freeze-times.ts';
import { type Handlers, hiddenFrom } from '../../http/calls/call.ts';
import { notFound } from '../../http/errors/api-error.ts';
import { orTaken } from '../../http/errors/taken.ts';
import { merged } from '../../http/objects/change.ts';
import { changeObject, deleteObject, type ObjectKind } from '../../http/objects/project-object.ts';
import { checkReferences } from '../../http/objects/references.ts';
import { sorted } from '../../http/objects/sorted.ts';
import { insertFreezeWindow, presentFreezeWindow } from './freeze-window.store.ts';
import { checkWindow, type FreezeWindowInput } from './freeze-window-input.ts';

interface Deps {
  readonly database: Database;
  readonly clock: Clock;
  readonly timezone: string;
  /** Checks held runs of a project again, in the transaction that changes its windows. */
  readonly recheckHeldRuns: (tx: StateTransaction, projectId: number, now: Date) => Promise<void>;
  /** Called after windows of a project have changed. Its schedules may start at other times. */
  readonly changed: (projectId: number) => void;
}

type FreezeWindowRoutes =
  | 'listFreezeWindows'
  | 'createFreezeWindow'
  | 'getFreezeWindow'
  | 'updateFreezeWindow'
  | 'deleteFreezeWindow';

const TIMING = ['starts_at', 'ends_at', 'cron_format'] as const;

const checkObjects = (db: StateReader, projectId: number, input: FreezeWindowInput): Promise<void> =>
  checkReferences(db, projectId, [
    ['template_id', 'template', input.template_id],
    ['inventory_id', 'inventory', input.inventory_id],
    ['label_id', 'label', input.label_id],
  ]);

export const freezeWindowsRoutes = (deps: Deps): Pick<Handlers, FreezeWindowRoutes> => {
  const { database, clock, timezone, recheckHeldRuns, changed } = deps;
  const present = (row: FreezeWindowRow): FreezeWindow => presentFreezeWindow(row, clock.now());
  const kind: ObjectKind<'freeze_window'> = {
    table: 'freeze_window',
    code: 'freeze_window',
    taken: (name) => ({ code: 'conflict.freeze_window_name_taken', params: { name } }),
    name: (row) => row.name,
    present: (_db, row) => present(row),
  };
  const windows = (projectId: number) =>
    database.read.selectFrom('freeze_window').selectAll().where('project_id', '=', projectId);

  return {
    listFreezeWindows: async ({ params, query, membership }) => {
      const hidden = hiddenFrom(membership);
      const rows = await windows(params.project_id).execute();
      return sorted(rows.filter(({ template_id }) => !hidden.has(template_id ?? 0)).map(present), query, 'name');
    },

    createFreezeWindow: async ({ params, body, actor }) => {
      const now = clock.now();
      const input = checkWindow(body, timezone, now, true);
      await checkObjects(database.read, params.project_id, input);
      const row = await orTaken(
        database,
        () => kind.taken(body.name),
        () => database.write((tx) => insertFreezeWindow(tx, params.project_id, input, actor, now)),
      );
      changed(params.project_id);
      return present(row);
    },

    getFreezeWindow: async ({ params }) => {
      const row = await windows(params.project_id).where('id', '=', params.freeze_window_id).executeTakeFirst();
      if (!row) throw notFound();
      return present(row);
    },

    updateFreezeWindow: async (call) => {
      await changeObject({ database, clock }, kind, call, call.params.freeze_window_id, async (tx, row, now) => {
        const given = merged(NewFreezeWindow, row, call.body);
        const isNew = TIMING.some((name) => row[name] !== given[name]);
        const input = checkWindow(given, timezone, now, isNew);
        await checkObjects(tx, row.project_id, input);
        await recheckHeldRuns(tx, row.project_id, now);
        return input;
      });
      changed(call.params.project_id);
    },

    deleteFreezeWindow: async (call) => {
      const { project_id, freeze_window_id } = call.params;
      await deleteObject({ database, clock }, kind, call, freeze_window_id, (tx, row) =>
        recheckHeldRuns(tx, row.project_id, clock.now()),
      );
      changed(project_id);
    },
  };
};
