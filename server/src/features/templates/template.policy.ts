import type { StateTransaction } from '../../database/database.ts';
import { lockRow } from '../../database/lock-row.ts';
import { badField } from '../../http/api-error.ts';
import { checkReferences } from '../../http/references.ts';
import type { TemplateFacts } from './template.store.ts';

/**
 * Holds a template against what its project has: everything that it names must be of the project, a vault key must hold
 * a password, and a deploy must build on a build. What must be of a type is held, so that it stays of that type.
 * @param id of the template where it is changed, so that it cannot build on itself
 */
export const checkTemplate = async (
  db: StateTransaction,
  projectId: number,
  facts: TemplateFacts,
  id?: number,
): Promise<void> => {
  await checkReferences(db, projectId, [
    ['inventory_id', 'inventory', facts.inventory_id],
    ['environment_id', 'environment', facts.environment_id],
    ['repository_id', 'repository', facts.repository_id],
    ['vault_key_id', 'access_key', facts.vault_key_id],
    ['view_id', 'view', facts.view_id],
    ['build_template_id', 'template', facts.build_template_id],
  ]);
  if (facts.vault_key_id !== null) {
    const key = await lockRow(db, 'access_key', projectId, facts.vault_key_id);
    if (key?.type !== 'login_password') throw badField('vault_key_id', 'field.password_key');
  }
  if (facts.type === 'deploy' && facts.build_template_id !== null) {
    const built = await lockRow(db, 'template', projectId, facts.build_template_id);
    if (built?.type !== 'build' || facts.build_template_id === id) {
      throw badField('build_template_id', 'field.build_template');
    }
  }
  if (id !== undefined && facts.type !== 'build') {
    const deploy = await db
      .selectFrom('template')
      .select('name')
      .where('build_template_id', '=', id)
      .limit(1)
      .executeTakeFirst();
    if (deploy) throw badField('type', 'field.stays_build', { name: deploy.name });
  }
};
