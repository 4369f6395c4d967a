import { type EndReasonCode, FINAL_STATUSES, type Language, type TaskStatus } from '@signalbox/contract';
import { type SqlBool, sql } from 'kysely';
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

/** The tasks of a project that ended last. Each status is read alone, so that an index has the order. */
const lastEnded = async (
  db: StateReader,
  projectId: number,
  statuses: readonly TaskStatus[],
  hidden: readonly number[],
) => {
  const rows = await Promise.all(
    statuses.map((status) =>
      db
        .selectFrom('task')
        .select(['id', 'tpl_alias', 'status', 'end_time', 'end_reason', 'end_params'])
        .where('project_id', '=', projectId)
        .where('status', '=', status)
        .where('end_time', 'is not', null)
        .$if(hidden.length > 0, (query) => query.where('template_id', 'not in', hidden))
        .orderBy('end_time', 'desc')
        .limit(ENTRIES)
        .execute(),
    ),
  );
  const ended = rows.flat().flatMap(({ end_time, ...task }) => (end_time === null ? [] : [{ ...task, end_time }]));
  return ended.toSorted((a, b) => b.end_time.localeCompare(a.end_time) || b.id - a.id).slice(0, ENTRIES);
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
  const statuses = only === 'failures' ? (['error'] as const) : FINAL_STATUSES;
  const rows = await lastEnded(db, projectId, statuses, hidden);
  const translate = translatorFor(project.alert_language);
  const url = `${publicAddress()}/project/${projectId}`;
  const entries = rows.map((task): FeedEntry => {
    const { id, tpl_alias, status, end_time, end_reason, end_params } = task;
    const reason = reasonOf(project.alert_language, end_reason, end_params);
    const title = translate(`ended.${status}`, { template: tpl_alias, id });
    return { id, status, ended: end_time, reason, url: `${url}/tasks/${id}`, title };
  });
  const updated = entries[0]?.ended ?? project.created;
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
    .where('template_id', '=', templateId)
    .where('status', 'in', FINAL_STATUSES)
    // Literals, so that the index of these tasks is used.
    .where(sql<SqlBool>`dry_run = 0 and end_time is not null`)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  const status = (task?.status ?? 'none') as BadgeStatus;
  const translate = translatorFor(template.alert_language);
  return badgeImage(template.name, status, translate(`badge.${status}`));
};
