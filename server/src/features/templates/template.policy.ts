import type { State } from '../../database/database.ts';
import { badField } from '../../http/api-error.ts';
import { checkReferences } from '../../http/references.ts';
import type { TemplateFacts } from './template.store.ts';

/**
 * Holds a template against what its project has: everything that it names must be of the project, a vault key must hold
 * a password, and a deploy must build on a build.
 * @param id of the template where it is changed, so that it cannot build on itself
 */
export const checkTemplate = async (db: State, projectId: number, facts: TemplateFacts, id?: number): Promise<void> => {
  await checkReferences(db, projectId, [
    ['inventory_id', 'inventory', facts.inventory_id],
    ['environment_id', 'environment', facts.environment_id],
    ['repository_id', 'repository', facts.repository_id],
    ['vault_key_id', 'access_key', facts.vault_key_id],
    ['view_id', 'view', facts.view_id],
    ['build_template_id', 'template', facts.build_template_id],
  ]);
  if (facts.vault_key_id !== null) {
    const key = await db
      .selectFrom('access_key')
      .select('type')
      .where('id', '=', facts.vault_key_id)
      .executeTakeFirst();
    if (key?.type !== 'login_password') throw badField('vault_key_id', 'must be a key with a password');
  }
  if (facts.type === 'deploy' && facts.build_template_id !== null) {
    const built = await db
      .selectFrom('template')
      .select('type')
      .where('id', '=', facts.build_template_id)
      .executeTakeFirst();
    if (built?.type !== 'build' || facts.build_template_id === id) {
      throw badField('build_template_id', 'must be a template of type build');
    }
  }
  if (id !== undefined && facts.type !== 'build') {
    const deploy = await db
      .selectFrom('template')
      .select('name')
      .where('build_template_id', '=', id)
      .limit(1)
      .executeTakeFirst();
    if (deploy) throw badField('type', `must stay build: ${deploy.name} builds on this template`);
  }
};
