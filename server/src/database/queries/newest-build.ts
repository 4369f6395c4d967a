import type { StateReader } from '../database.ts';

/**
 * The build that an automatic deploy uses: the newest successful one.
 * @returns null for a template that deploys no build; undefined if there is no build yet
 */
export const newestBuild = async (db: StateReader, templateId: number): Promise<number | null | undefined> => {
  const template = await db
    .selectFrom('template')
    .select(['type', 'build_template_id'])
    .where('id', '=', templateId)
    .executeTakeFirst();
  if (template?.type !== 'deploy') return null;
  const build = await db
    .selectFrom('task')
    .select('id')
    .where('template_id', '=', template.build_template_id)
    .where('status', '=', 'success')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return build?.id;
};
