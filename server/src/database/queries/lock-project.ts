import type { StateTransaction } from '../database.ts';

/** Locks a project, so that transactions that count its rows before they add one do so one after the other. */
export const lockProject = async (tx: StateTransaction, projectId: number): Promise<void> => {
  await tx
    .updateTable('project')
    .set((eb) => ({ name: eb.ref('name') }))
    .where('id', '=', projectId)
    .execute();
};
