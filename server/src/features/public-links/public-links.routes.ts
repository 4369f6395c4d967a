import { type Actor, recordEvent } from '../../audit/record-event.ts';
import { CallLimit } from '../../call-limit.ts';
import type { Clock } from '../../clock.ts';
import type { Database, StateReader, StateTransaction } from '../../database/database.ts';
import type { Handlers } from '../../http/calls/call.ts';
import { ApiError, notFound } from '../../http/errors/api-error.ts';
import { isRestricted, type PublicTexts, projectFeed, templateBadge } from './public-content.ts';
import {
  deleteLink,
  findByToken,
  findLink,
  type PublicLinkRow,
  type PublicPart,
  replaceLink,
} from './public-link.store.ts';

interface Deps extends PublicTexts {
  readonly database: Database;
  readonly clock: Clock;
}

type PublicLinkRoutes = `${'get' | 'create' | 'delete'}${'Feed' | 'Badge'}Link` | 'readFeed' | 'readBadge';

/** Requests of one address that are answered a minute, on each server. */
const CALLS_PER_MINUTE = 120;

/** Nothing in an image or a feed may load or run anything. */
const LOCKED = { 'content-security-policy': "default-src 'none'; sandbox" } as const;
/** Pages of other sites show the image. */
const IMAGE = {
  ...LOCKED,
  'cross-origin-resource-policy': 'cross-origin',
  'cache-control': 'public, max-age=60',
} as const;

interface Change {
  readonly part: PublicPart;
  readonly actor: Actor;
}

export const publicLinksRoutes = (deps: Deps): Pick<Handlers, PublicLinkRoutes> => {
  const { database, clock } = deps;
  const limit = new CallLimit(clock, CALLS_PER_MINUTE);

  const nameOf = async (db: StateReader, { projectId, templateId }: PublicPart): Promise<string> => {
    if (templateId === null) return '';
    const row = await db
      .selectFrom('template')
      .select('name')
      .where('id', '=', templateId)
      .where('project_id', '=', projectId)
      .executeTakeFirst();
    if (!row) throw notFound();
    return row.name;
  };
  const record = async (tx: StateTransaction, { part, actor }: Change, done: 'created' | 'revoked') => {
    const name = await nameOf(tx, part);
    const about = { actor, projectId: part.projectId, at: clock.now(), objectName: name };
    if (part.templateId === null)
      await recordEvent(tx, {
        ...about,
        kind: `feed.${done}`,
        params: {},
        objectType: 'project',
        objectId: part.projectId,
      });
    else
      await recordEvent(tx, {
        ...about,
        kind: `badge.${done}`,
        params: { name },
        objectType: 'template',
        objectId: part.templateId,
      });
  };
  const create = (change: Change, userId: number): Promise<string> =>
    database.write(async (tx) => {
      const { projectId, templateId } = change.part;
      await nameOf(tx, change.part);
      if (templateId !== null && (await isRestricted(tx, projectId, templateId)))
        throw new ApiError('conflict.badge_restricted');
      const token = await replaceLink(tx, change.part, userId, clock.now());
      await record(tx, change, 'created');
      return token;
    });
  const remove = (change: Change): Promise<void> =>
    database.write(async (tx) => {
      if (await deleteLink(tx, change.part)) await record(tx, change, 'revoked');
    });
  const feedOf = ({ project_id }: { project_id: number }): PublicPart => ({ projectId: project_id, templateId: null });
  const badgeOf = ({ project_id, template_id }: { project_id: number; template_id: number }): PublicPart => ({
    projectId: project_id,
    templateId: template_id,
  });
  /** @throws not_found for an unknown or revoked address, one of the other kind, or a restricted template; too_many */
  const opened = async (token: string, isOf: (row: PublicLinkRow) => boolean): Promise<PublicLinkRow> => {
    const row = await findByToken(database.read, token);
    if (!row || !isOf(row)) throw notFound();
    const { project_id, template_id } = row;
    // Before the limit, because its error would show that the address exists.
    if (template_id !== null && (await isRestricted(database.read, project_id, template_id))) throw notFound();
    if (!limit.take(row.id)) throw new ApiError('too_many.public_link');
    return row;
  };

  return {
    getFeedLink: ({ params }) => findLink(database.read, feedOf(params)),
    createFeedLink: async ({ params, actor, caller }) => ({
      address: `${deps.publicAddress()}/api/feed/${await create({ part: feedOf(params), actor }, caller.id)}`,
    }),
    deleteFeedLink: ({ params, actor }) => remove({ part: feedOf(params), actor }),

    getBadgeLink: async ({ params }) => {
      await nameOf(database.read, badgeOf(params));
      return await findLink(database.read, badgeOf(params));
    },
    createBadgeLink: async ({ params, actor, caller }) => ({
      address: `${deps.publicAddress()}/api/badge/${await create({ part: badgeOf(params), actor }, caller.id)}`,
    }),
    deleteBadgeLink: async ({ params, actor }) => {
      await nameOf(database.read, badgeOf(params));
      await remove({ part: badgeOf(params), actor });
    },

    readFeed: async ({ params, query }) => {
      const { project_id } = await opened(params.link_token, ({ template_id }) => template_id === null);
      const { xml, updated } = await projectFeed(database.read, deps, project_id, query.only);
      const headers = { ...LOCKED, 'cache-control': 'private, max-age=60' };
      return { stream: xml, headers: { ...headers, 'last-modified': new Date(updated).toUTCString() } };
    },

    readBadge: async ({ params }) => {
      const { template_id } = await opened(params.link_token, (row) => row.template_id !== null);
      const image = await templateBadge(database.read, deps, template_id ?? 0);
      if (image === undefined) throw notFound();
      return { stream: image, headers: IMAGE };
    },
  };
};
