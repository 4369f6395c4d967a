import type { StateTransaction } from '../../database/database.ts';
import { lockRow } from '../../database/queries/lock-row.ts';
import { badField } from '../../http/errors/api-error.ts';
import { checkReferences } from '../../http/objects/references.ts';
import { findBadPattern } from '../../survey-pattern.ts';
import type { TemplateInput } from './template.store.ts';

const checkPatterns = async ({ survey_vars }: TemplateInput): Promise<void> => {
  const bad = await findBadPattern(survey_vars);
  if (bad !== undefined) throw badField(`survey_vars.${bad}.pattern`, 'field.pattern');
};

/**
 * Checks a template against its project: referenced objects must belong to the project, a vault key must hold a
 * password, a deploy must refer to a build template, and the
 * patterns of its survey must be regular expressions. Locks objects whose type matters, so that it cannot change.
 * @param id id of a changed template, which cannot be its own build
 */
export const checkTemplate = async (
  db: StateTransaction,
  projectId: number,
  input: TemplateInput,
  id?: number,
): Promise<void> => {
  await checkPatterns(input);
  await checkReferences(db, projectId, [
    ['inventory_id', 'inventory', input.inventory_id],
    ['environment_id', 'environment', input.environment_id],
    ['repository_id', 'repository', input.repository_id],
    ['vault_key_id', 'access_key', input.vault_key_id],
    ['view_id', 'view', input.view_id],
    ['build_template_id', 'template', input.build_template_id],
  ]);
  if (input.vault_key_id !== null) {
    const key = await lockRow(db, 'access_key', projectId, input.vault_key_id);
    if (key?.type !== 'login_password') throw badField('vault_key_id', 'field.password_key');
  }
  if (input.type === 'deploy' && input.build_template_id !== null) {
    const built = await lockRow(db, 'template', projectId, input.build_template_id);
    if (built?.type !== 'build' || input.build_template_id === id) {
      throw badField('build_template_id', 'field.build_template');
    }
  }
  if (id !== undefined && input.type !== 'build') {
    const deploy = await db
      .selectFrom('template')
      .select('name')
      .where('build_template_id', '=', id)
      .limit(1)
      .executeTakeFirst();
    if (deploy) throw badField('type', 'field.stays_build', { name: deploy.name });
  }
};
