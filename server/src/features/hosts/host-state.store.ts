import type { Selectable } from 'kysely';
import type { StateTransaction } from '../../database/database.ts';
import type { HostStateTable } from '../../database/host.schema.ts';
import { type TemplateState, withRunOfTemplate } from './host-state.ts';
import type { PastRun } from './host-template.ts';

const timeOf = (value: number | null): number | null => (value === null ? null : Number(value));

const stateOf = (row: Selectable<HostStateTable>): TemplateState => {
  const { host_id: _, template_id: __, groups_ended: ___, facts_ended: ____, ...state } = row;
  return {
    ...state,
    ended: Number(row.ended),
    last_success: timeOf(row.last_success),
    last_change: timeOf(row.last_change),
    last_failure: timeOf(row.last_failure),
  };
};

/** Adds runs of one template to its state on at most 200 different hosts. */
export const writeHostStates = async (
  tx: StateTransaction,
  templateId: number,
  runs: ReadonlyMap<number, PastRun>,
): Promise<void> => {
  if (runs.size === 0) return;
  const rows = await tx
    .selectFrom('host_state')
    .selectAll()
    .where('template_id', '=', templateId)
    .where('host_id', 'in', [...runs.keys()])
    .execute();
  const before = new Map(rows.map((row) => [row.host_id, stateOf(row)]));
  const values = [...runs].map(([host_id, run]) => ({
    ...{ host_id, template_id: templateId },
    ...withRunOfTemplate(before.get(host_id), run),
  }));
  await tx
    .insertInto('host_state')
    .values(values)
    .onConflict((oc) =>
      oc.columns(['host_id', 'template_id']).doUpdateSet((eb) => ({
        task_id: eb.ref('excluded.task_id'),
        ended: eb.ref('excluded.ended'),
        outcome: eb.ref('excluded.outcome'),
        last_success: eb.ref('excluded.last_success'),
        last_success_task: eb.ref('excluded.last_success_task'),
        last_change: eb.ref('excluded.last_change'),
        last_change_task: eb.ref('excluded.last_change_task'),
        last_failure: eb.ref('excluded.last_failure'),
        last_failure_task: eb.ref('excluded.last_failure_task'),
      })),
    )
    .execute();
};
