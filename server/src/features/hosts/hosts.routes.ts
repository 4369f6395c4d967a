import type { Failure, SilentInTask } from '@signalbox/contract';
import type { Clock } from '../../clock.ts';
import type { Database } from '../../database/database.ts';
import { belongsTo } from '../../database/queries/same-project.ts';
import { type Handlers, hiddenFrom, type Membership } from '../../http/calls/call.ts';
import { notFound } from '../../http/errors/api-error.ts';
import { findHost } from './host.store.ts';
import { readFactVersions, readHostChanges, readNoted } from './host-notes.read-model.ts';
import { readHostFailures, readHostPage, readHostRuns, readTemplates } from './host-page.read-model.ts';
import { readHostChoices } from './list/host-choices.ts';
import { listHosts } from './list/host-list.ts';
import { filterOf } from './list/host-query.ts';
import { listTemplateHosts } from './template-hosts.ts';

const DEFAULT_HOSTS = 200;
const DEFAULT_RUNS = 50;
const DEFAULT_CHANGES = 20;
/** Most failures of one host that a call answers. */
const MAX_FAILURES = 200;

interface Deps {
  readonly database: Database;
  readonly clock: Clock;
  /** Returns failures of a project by fingerprint, without those of hidden templates. */
  readonly failuresOf: (
    projectId: number,
    hidden: ReadonlySet<number>,
    fingerprints: readonly string[],
  ) => Promise<readonly Failure[]>;
  /** Returns the running tasks in which a host is silent, without those of hidden templates. */
  readonly silentIn: (projectId: number, hidden: ReadonlySet<number>, host: string) => Promise<readonly SilentInTask[]>;
}

type HostRoutes =
  | 'listHosts'
  | 'listHostChoices'
  | 'listTemplateHosts'
  | 'getHost'
  | 'listHostRuns'
  | 'listHostFailures'
  | 'listHostChanges'
  | 'listHostFacts';

interface OfHost {
  readonly project_id: number;
  readonly host_id: number;
}

/** @throws ApiError 404 for an unknown host, and for one on which only hidden templates ran */
const checkHost = async ({ read: db }: Database, { project_id, host_id }: OfHost, membership: Membership) => {
  const hidden = hiddenFrom(membership);
  if (!(await belongsTo(db, 'host', host_id, project_id))) throw notFound();
  if (hidden.size === 0) return;
  const shown = await db
    .selectFrom('host_state')
    .select('template_id')
    .where('host_id', '=', host_id)
    .where('template_id', 'not in', [...hidden])
    .limit(1)
    .execute();
  if (shown.length === 0) throw notFound();
};

/** @throws ApiError 404 as `checkHost` does */
const templatesOf = async (database: Database, params: OfHost, membership: Membership) => {
  await checkHost(database, params, membership);
  return await readTemplates(database.read, params.host_id, hiddenFrom(membership));
};

export const hostsRoutes = ({ database, clock, failuresOf, silentIn }: Deps): Pick<Handlers, HostRoutes> => ({
  listHosts: async ({ params, query, membership }) => {
    const first = query.from ?? 1;
    const page = await listHosts(database, {
      projectId: params.project_id,
      first,
      limit: query.limit ?? DEFAULT_HOSTS,
      sort: query.sort ?? 'host',
      order: query.order ?? 'asc',
      filter: filterOf(query, clock.now()),
      hidden: hiddenFrom(membership),
    });
    return { first, ...page };
  },

  listHostChoices: ({ params, query, membership }) =>
    readHostChoices(database, {
      projectId: params.project_id,
      fact: query.fact,
      text: query.part,
      hidden: hiddenFrom(membership),
    }),

  listTemplateHosts: async ({ params: { project_id, template_id } }) => {
    if (!(await belongsTo(database.read, 'template', template_id, project_id))) throw notFound();
    return await listTemplateHosts(database.read, project_id, template_id);
  },

  getHost: async ({ params, membership }) => {
    const hidden = hiddenFrom(membership);
    const host = await findHost(database.read, params.project_id, params.host_id, hidden);
    if (!host) throw notFound();
    const rows = await readTemplates(database.read, params.host_id, hidden);
    const page = await readHostPage(database.read, rows, clock.now());
    const noted = await readNoted(database.read, params.host_id, hidden);
    return { ...host, ...page, ...noted, silent: [...(await silentIn(params.project_id, hidden, host.host))] };
  },

  listHostChanges: async ({ params, query, membership }) => {
    await checkHost(database, params, membership);
    const page = { first: query.from ?? 1, limit: query.limit ?? DEFAULT_CHANGES };
    return await readHostChanges(database.read, params.host_id, hiddenFrom(membership), page);
  },

  listHostFacts: async ({ params, membership }) => {
    await checkHost(database, params, membership);
    return { versions: await readFactVersions(database.read, params.host_id, hiddenFrom(membership)) };
  },

  listHostRuns: async ({ params, query, membership }) => {
    const rows = await templatesOf(database, params, membership);
    return await readHostRuns(database.read, rows, { first: query.from ?? 1, limit: query.limit ?? DEFAULT_RUNS });
  },

  listHostFailures: async ({ params, membership }) => {
    const rows = await templatesOf(database, params, membership);
    const seen = await readHostFailures(database.read, rows);
    const newest = [...seen.keys()].slice(0, MAX_FAILURES);
    const failures = await failuresOf(params.project_id, hiddenFrom(membership), newest);
    const byFingerprint = new Map(failures.map((failure) => [failure.fingerprint, failure]));
    return {
      failures: [...seen].flatMap(([fingerprint, of]) => {
        const failure = byFingerprint.get(fingerprint);
        return failure ? [{ failure, ...of }] : [];
      }),
    };
  },
});
