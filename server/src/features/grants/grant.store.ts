import { fixedAnswerProblems, type Grant, MAX_GRANTS, type NewGrant } from '@signalbox/contract';
import { type GrantRow, rightsOfGrant } from '../../access/access.ts';
import type { StateReader, StateTransaction } from '../../database/database.ts';
import { ApiError, badField } from '../../http/errors/api-error.ts';
import { checkReferences } from '../../http/objects/references.ts';
import { refuseFull } from '../../http/objects/refuse-full.ts';
import { checkOpenAnswers, readSurvey } from '../../stored-answers/survey.ts';
import { findMismatches } from '../../survey-pattern.ts';

export const grantsOf = (db: StateReader, projectId: number) =>
  db.selectFrom('access_grant').selectAll().where('project_id', '=', projectId).orderBy('id');

export const presentGrant = ({ limit_hosts, rights, ...row }: GrantRow): Grant => ({
  ...row,
  rights: rightsOfGrant({ rights }),
  limit: limit_hosts,
});

/** A grant in the form of a request that would create it. */
export const inputOf = (row: GrantRow): NewGrant => presentGrant(row);

export const grantColumns = ({ rights, limit, ...input }: NewGrant) => ({
  ...input,
  rights: rights.join(','),
  limit_hosts: limit,
});

/** Refuses fixed answers with which no task could start: every launch with the grant has them. */
const checkAnswers = async (
  tx: StateReader,
  projectId: number,
  { template_id: templateId, answers }: NewGrant,
): Promise<void> => {
  const fixed = JSON.parse(answers) as Record<string, unknown>;
  const names = Object.keys(fixed);
  if (names.length === 0) return;
  if (templateId === null) throw badField('answers', 'field.grant_view');
  const survey = (await readSurvey(tx, templateId, projectId)) ?? [];
  checkOpenAnswers(survey, names, (name) => `answers.${name}`);
  const mismatches = await findMismatches(survey, fixed);
  const problems = fixedAnswerProblems(survey, fixed, ({ name }) => !mismatches.has(name));
  if (problems.size === 0) return;
  throw ApiError.ofFields(Object.fromEntries([...problems].map(([name, problem]) => [`answers.${name}`, problem])));
};

/**
 * Checks a grant against its project.
 * @throws bad_input when it names not exactly one template or view, not exactly one user, role or group, or objects of
 *   another project; or when it fixes values without the right to run
 */
export const checkGrant = async (tx: StateReader, projectId: number, grant: NewGrant): Promise<void> => {
  if ((grant.template_id === null) === (grant.view_id === null))
    throw badField('template_id', 'field.one_of', { fields: 'template_id, view_id' });
  const subjects = [grant.user_id !== null, grant.role !== null, grant.group_name !== ''].filter(Boolean);
  if (subjects.length !== 1) throw badField('user_id', 'field.one_of', { fields: 'user_id, role, group_name' });
  await checkReferences(tx, projectId, [
    ['template_id', 'template', grant.template_id],
    ['view_id', 'view', grant.view_id],
    ['inventory_id', 'inventory', grant.inventory_id],
  ]);
  if (grant.user_id !== null) {
    const user = await tx.selectFrom('users').select('id').where('id', '=', grant.user_id).executeTakeFirst();
    if (!user) throw badField('user_id', 'field.not_user');
  }
  const fixes = grant.inventory_id !== null || grant.limit !== '' || grant.answers !== '{}';
  if (fixes && !grant.rights.includes('run')) throw badField('rights', 'field.grant_run');
  await checkAnswers(tx, projectId, grant);
};

/** Whom and what a grant is about, for events. */
export const namesOf = async (
  tx: StateReader,
  grant: Pick<NewGrant, 'template_id' | 'view_id' | 'user_id' | 'role' | 'group_name'>,
  roleName: string,
): Promise<{ readonly what: string; readonly who: string }> => {
  const template = await tx
    .selectFrom('template')
    .select('name')
    .where('id', '=', grant.template_id)
    .executeTakeFirst();
  const view = await tx.selectFrom('view').select('title').where('id', '=', grant.view_id).executeTakeFirst();
  const user = await tx.selectFrom('users').select('username').where('id', '=', grant.user_id).executeTakeFirst();
  return {
    what: template?.name ?? view?.title ?? '',
    who: user?.username ?? (grant.role === null ? grant.group_name : roleName || grant.role),
  };
};

/** @throws conflict when the project has the maximum number of grants */
export const insertGrant = async (
  tx: StateTransaction,
  projectId: number,
  grant: NewGrant,
  by: { readonly id: number; readonly username: string },
  now: Date,
): Promise<GrantRow> => {
  await refuseFull(tx, 'access_grant', projectId, MAX_GRANTS, {
    code: 'conflict.grants_full',
    params: { max: MAX_GRANTS },
  });
  return await tx
    .insertInto('access_grant')
    .values({
      ...grantColumns(grant),
      project_id: projectId,
      granted_by: by.id,
      granted_by_name: by.username,
      created: now.toISOString(),
    })
    .returningAll()
    .executeTakeFirstOrThrow();
};
