import type { StateTransaction } from '../../database/database.ts';
import { writeHostStates } from './host-state.store.ts';
import { entryOf, type TemplateRun, withTemplateRun } from './host-template.ts';

/** Adds runs of one template to its past on at most 200 different hosts, which are stored already. */
export const writeHostTemplates = async (
  tx: StateTransaction,
  projectId: number,
  templateId: number,
  runs: readonly (TemplateRun & { readonly host: string })[],
): Promise<void> => {
  const names = runs.map(({ host }) => host);
  const rows = await tx
    .selectFrom('host')
    .leftJoin('host_template as t', (join) =>
      join.onRef('t.host_id', '=', 'host.id').on('t.template_id', '=', templateId),
    )
    .select(['host.id', 'host.host', 't.task_id', 't.ended', 't.outcome', 't.cause', 't.title'])
    .select(['t.runs', 't.last_day', 't.days', 't.past'])
    .where('host.project_id', '=', projectId)
    .where('host.host', 'in', names)
    .execute();
  const known = new Map(rows.map((row) => [row.host, row]));
  const values = runs.flatMap((run) => {
    const row = known.get(run.host);
    if (!row) return [];
    const { id, host: _, task_id, ended, outcome, title, runs: count, last_day, days, past, cause } = row;
    const isKnown = task_id !== null && ended !== null && outcome !== null && title !== null && count !== null;
    const before =
      isKnown && last_day !== null && days !== null && past !== null
        ? { task_id, ended: Number(ended), outcome, cause, title, runs: count, last_day, days, past }
        : undefined;
    return [{ host_id: id, template_id: templateId, ...withTemplateRun(before, run) }];
  });
  if (values.length === 0) return;
  const entries = runs.flatMap((run) => {
    const id = known.get(run.host)?.id;
    return id === undefined ? [] : [[id, entryOf(run)] as const];
  });
  await writeHostStates(tx, templateId, new Map(entries));
  await tx
    .insertInto('host_template')
    .values(values)
    .onConflict((oc) =>
      oc.columns(['host_id', 'template_id']).doUpdateSet((eb) => ({
        task_id: eb.ref('excluded.task_id'),
        ended: eb.ref('excluded.ended'),
        outcome: eb.ref('excluded.outcome'),
        cause: eb.ref('excluded.cause'),
        title: eb.ref('excluded.title'),
        runs: eb.ref('excluded.runs'),
        last_day: eb.ref('excluded.last_day'),
        days: eb.ref('excluded.days'),
        past: eb.ref('excluded.past'),
      })),
    )
    .execute();
};
