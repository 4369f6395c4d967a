import type { PublicLink } from '@signalbox/contract';
import type { Selectable } from 'kysely';
import type { StateReader, StateTransaction } from '../../database/database.ts';
import type { PublicLinkTable } from '../../database/public-link.schema.ts';
import { hashToken, newToken } from '../../secrets/token.ts';

export type PublicLinkRow = Selectable<PublicLinkTable>;

/** What is public: the badge of a template, or without one the feed of the project. */
export interface PublicPart {
  readonly projectId: number;
  readonly templateId: number | null;
}

const linksOf = (db: StateReader, { projectId, templateId }: PublicPart) =>
  db
    .selectFrom('public_link')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('scope', '=', templateId ?? 0);

export const findLink = async (db: StateReader, part: PublicPart): Promise<PublicLink> => {
  const row = await linksOf(db, part).executeTakeFirst();
  return { active: row !== undefined, created: row?.created ?? null, created_by: row?.created_by ?? '' };
};

/** Stores a new address, in place of an old one. @returns the secret part of the address */
export const replaceLink = async (
  tx: StateTransaction,
  { projectId, templateId }: PublicPart,
  userId: number,
  now: Date,
): Promise<string> => {
  const token = newToken();
  const user = await tx.selectFrom('users').select('name').where('id', '=', userId).executeTakeFirst();
  const values = { token_hash: hashToken(token), created: now.toISOString(), created_by: user?.name ?? '' };
  await tx
    .insertInto('public_link')
    .values({ ...values, project_id: projectId, template_id: templateId, scope: templateId ?? 0 })
    .onConflict((oc) => oc.columns(['project_id', 'scope']).doUpdateSet(values))
    .execute();
  return token;
};

/** Deletes the address. @returns whether there was one */
export const deleteLink = async (tx: StateTransaction, { projectId, templateId }: PublicPart): Promise<boolean> => {
  const deleted = await tx
    .deleteFrom('public_link')
    .where('project_id', '=', projectId)
    .where('scope', '=', templateId ?? 0)
    .returning('id')
    .executeTakeFirst();
  return deleted !== undefined;
};

/** The link with a secret part of an address. */
export const findByToken = (db: StateReader, token: string): Promise<PublicLinkRow | undefined> =>
  db.selectFrom('public_link').selectAll().where('token_hash', '=', hashToken(token)).executeTakeFirst();
