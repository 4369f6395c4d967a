import type { SurveyChoice, SurveyVariable } from '@signalbox/contract';
import type { StateReader } from '../../database/database.ts';
import { ApiError } from '../../http/errors/api-error.ts';

/** Most versions to choose from. */
const MAX_VERSIONS = 1000;

/**
 * The versions of the successful builds of a build template, the newest first, each once.
 * @throws conflict when the template was deleted or builds no more
 */
export const readVersions = async (
  db: StateReader,
  projectId: number,
  templateId: number | null,
  { title, name }: SurveyVariable,
): Promise<readonly SurveyChoice[]> => {
  const template = await db
    .selectFrom('template')
    .select('id')
    .where('id', '=', templateId)
    .where('project_id', '=', projectId)
    .where('type', '=', 'build')
    .executeTakeFirst();
  if (!template) throw new ApiError('conflict.choices', { title: title || name });
  const rows = await db
    .selectFrom('task')
    .select(({ fn }) => ['version', fn.max('id').as('newest')])
    .where('template_id', '=', template.id)
    .where('status', '=', 'success')
    .where('tpl_type', '=', 'build')
    .where('version', 'is not', null)
    .groupBy('version')
    .orderBy('newest', 'desc')
    .limit(MAX_VERSIONS)
    .execute();
  return rows.map(({ version }) => ({ name: '', value: version ?? '' }));
};
