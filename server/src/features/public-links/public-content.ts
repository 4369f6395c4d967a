import { type EndReasonCode, FINAL_STATUSES, type Language } from '@signalbox/contract';
import { readRules } from '../../access/read-access.ts';
import type { StateReader } from '../../database/database.ts';
import { endReasonIn, storedEndReason } from '../../end-reason.ts';
import { type BadgeStatus, badgeImage } from './badge.ts';
import { type FeedEntry, feedXml } from './feed.ts';
import { PUBLIC_REASONS } from './public-reasons.ts';

/** Tasks of a feed. */
const ENTRIES = 50;

type Translate = (key: string, values?: Readonly<Record<string, string | number>>) => string;

export interface PublicTexts {
  readonly translatorFor: (language: Language) => Translate;
  /** URL of the console, without a trailing slash. */
  readonly publicAddress: () => string;
}

/** The templates that only some members see. */
const restrictedOf = async (db: StateReader, projectId: number): Promise<ReadonlySet<number>> =>
  (await readRules(db, [projectId])).get(projectId)?.restricted ?? new Set();

export const isRestricted = async (db: StateReader, projectId: number, templateId: number): Promise<boolean> =>
  (await restrictedOf(db, projectId)).has(templateId);

/** Why a task ended; empty if the reason may contain what a program or a user wrote. */
const reasonOf = (language: Language, code: EndReasonCode | null, params: string | null): string => {
  const reason = storedEndReason(code, params);
  if (!reason || !PUBLIC_REASONS.has(reason.code)) return '';
  return endReasonIn(language, reason);
};

/** The last ended tasks of a project as a feed, without those of restricted templates. */
export const projectFeed = async (
  db: StateReader,
  { translatorFor, publicAddress }: PublicTexts,
  projectId: number,
  only: 'failures' | undefined,
): Promise<{ xml: string; updated: string }> => {
  const hidden = [...(await restrictedOf(db, projectId))];
  const project = await db
    .selectFrom('project')
    .select(['name', 'alert_language', 'created'])
    .where('id', '=', projectId)
    .executeTakeFirstOrThrow();
  const rows = await db
    .selectFrom('task')
    .select(['id', 'tpl_alias', 'status', 'end_time', 'end_reason', 'end_params'])
    .where('project_id', '=', projectId)
    .where('status', 'in', only === 'failures' ? ['error'] : FINAL_STATUSES)
    .$if(hidden.length > 0, (query) => query.where('template_id', 'not in', hidden))
    .orderBy('created', 'desc')
    .limit(ENTRIES)
    .execute();
  const translate = translatorFor(project.alert_language);
  const url = `${publicAddress()}/project/${projectId}`;
  const entries = rows.flatMap((task): FeedEntry[] => {
    const { id, tpl_alias, status, end_time, end_reason, end_params } = task;
    return end_time === null
      ? []
      : [
          {
            ...{
              id,
              status,
              ended: end_time,
              reason: reasonOf(project.alert_language, end_reason, end_params),
              url: `${url}/tasks/${id}`,
            },
            title: translate(`ended.${status}`, { template: tpl_alias, id }),
          },
        ];
  });
  const updated =
    entries
      .map(({ ended }) => ended)
      .toSorted()
      .at(-1) ?? project.created;
  return { xml: feedXml({ title: project.name, url, updated, entries }), updated };
};

/** How the last run of a template ended, as an image. The caller checks that the template is not restricted. */
export const templateBadge = async (
  db: StateReader,
  { translatorFor }: PublicTexts,
  templateId: number,
): Promise<string | undefined> => {
  const template = await db
    .selectFrom('template')
    .innerJoin('project', 'project.id', 'template.project_id')
    .select(['template.name', 'project.alert_language'])
    .where('template.id', '=', templateId)
    .executeTakeFirst();
  if (!template) return undefined;
  const task = await db
    .selectFrom('task')
    .select('status')
    .where('template_id', 'in', [templateId])
    .where('status', 'in', FINAL_STATUSES)
    .where('dry_run', '=', 0)
    .orderBy('template_id', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  const status = (task?.status ?? 'none') as BadgeStatus;
  const translate = translatorFor(template.alert_language);
  return badgeImage(template.name, status, translate(`badge.${status}`));
};
