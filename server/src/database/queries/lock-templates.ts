import type { StateTransaction } from '../database.ts';

/**
 * Locks templates until the transaction ends. Every transaction that starts a task of a template, or deletes the template, does
 * this before it writes anything else: with another order, two transactions could wait for each other. An update without a
 * change locks in both databases.
 * @param of one template, or all templates of a project
 */
export const lockTemplates = async (
  tx: StateTransaction,
  of: { readonly template: number } | { readonly project: number },
): Promise<void> => {
  const lock = tx.updateTable('template').set((eb) => ({ launches: eb.ref('launches') }));
  await ('template' in of ? lock.where('id', '=', of.template) : lock.where('project_id', '=', of.project)).execute();
};
