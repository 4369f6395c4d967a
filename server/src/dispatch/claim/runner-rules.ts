import type { ProvidedEnvironment } from '@signalbox/contract';
import { type RawBuilder, sql } from 'kysely';
import { type StateReader, stateOf } from '../../database/database.ts';
import { isDrainRequested } from '../../runner-drain.ts';
import { abilitiesOf } from '../../runner-needs.ts';
import type { Need } from './waiting-needs.ts';
import { waitingQueues } from './waiting-queues.ts';

/** What decides which tasks and queries a runner gets, as it is stored. */
export interface RunnerRules {
  readonly id: number;
  readonly name: string;
  /** Number of tasks that it has claimed. */
  readonly claims: number;
  readonly tokenHash: string;
  readonly tags: readonly string[];
  /** See `abilitiesOf`. */
  readonly abilities: readonly string[];
  /** Paused by an admin. */
  readonly paused: boolean;
  /** Whether its process was asked to end after its tasks. */
  readonly draining: boolean;
  /** Whether it only takes tasks of the projects that are listed for it. */
  readonly isLimited: boolean;
  /** Whether it takes tasks of every project. */
  readonly takesAll: boolean;
  /** The lists of runner tags of projects that the tags of the runner contain, as JSON. */
  readonly metTags: readonly string[];
}

/** Whether a runner has all of these tags, a JSON list. */
const hasTags = (tags: readonly string[], required: string): boolean =>
  (JSON.parse(required) as string[]).every((tag) => tags.includes(tag));

/** Reads the rules of one runner or of all runners, by id. */
export const readRules = async (db: StateReader, id?: number): Promise<ReadonlyMap<number, RunnerRules>> => {
  const rows = await db
    .selectFrom('runner')
    .select([
      'id',
      'name',
      'claims',
      'token_hash',
      'tags',
      'environments',
      'paused',
      'projects_limited',
      'process',
      'connection',
      'drain_process',
    ])
    .$if(id !== undefined, (query) => query.where('id', '=', id ?? 0))
    .execute();
  const confined = await db
    .selectFrom('project')
    .select('runner_tags')
    .distinct()
    .where('runner_tags', '<>', '[]')
    .execute();
  return new Map(
    rows.map((row) => {
      const tags = JSON.parse(row.tags) as string[];
      const metTags = confined.map(({ runner_tags }) => runner_tags).filter((required) => hasTags(tags, required));
      const isLimited = row.projects_limited === 1;
      const rules: RunnerRules = {
        id: row.id,
        name: row.name,
        claims: row.claims,
        tokenHash: row.token_hash,
        tags,
        abilities: abilitiesOf(tags, JSON.parse(row.environments) as ProvidedEnvironment[]),
        paused: row.paused === 1,
        draining: isDrainRequested(row),
        isLimited,
        takesAll: !isLimited && metTags.length === confined.length,
        metTags,
      };
      return [row.id, rules];
    }),
  );
};

/** What a waiting task needs of a runner, with its project. */
interface NeedOfProject {
  /** JSON lists of tags, the first one with the execution environment. */
  readonly tags: string;
  readonly project_tags: string;
  readonly project_id: number;
}

/** Returns whether a connected runner takes a task, when it has a free slot. */
export const anyTakes = async (db: StateReader): Promise<(need: NeedOfProject) => boolean> => {
  const connected = await db.selectFrom('runner').select('id').where('connection', 'is not', null).execute();
  const ids = new Set(connected.map(({ id }) => id));
  const rules = [...(await readRules(db)).values()].filter(
    ({ id, paused, draining }) => ids.has(id) && !paused && !draining,
  );
  const listed = new Set(
    (await db.selectFrom('runner_project').selectAll().execute()).map((row) => `${row.runner_id} ${row.project_id}`),
  );
  const known = new Map<string, boolean>();
  return ({ tags, project_tags, project_id }) => {
    const key = `${project_id} ${project_tags} ${tags}`;
    const isTaken =
      known.get(key) ??
      rules.some(
        (one) =>
          hasTags(one.abilities, tags) &&
          hasTags(one.tags, project_tags) &&
          (!one.isLimited || listed.has(`${one.id} ${project_id}`)),
      );
    known.set(key, isTaken);
    return isTaken;
  };
};

/** Whether a runner takes tasks and queries of a project, the table `project` of a statement. */
export const takesProject = ({ id, isLimited, metTags }: RunnerRules): RawBuilder<boolean> => {
  // A project whose tags changed after the rules were read matches no list, so the runner does not take its tasks.
  const tags = sql.join(['[]', ...metTags]);
  const listed = sql`exists (
    select 1 from runner_project listed where listed.runner_id = ${id} and listed.project_id = project.id
  )`;
  return sql<boolean>`project.runner_tags in (${tags}) and ${isLimited ? listed : sql`1 = 1`}`;
};

/** Whether a runner takes tasks of the template with the id `id`. */
export const takesTemplate = (id: string, rules: RunnerRules): RawBuilder<boolean> => sql<boolean>`exists (
  select 1 from template join project on project.id = template.project_id
  where template.id = ${sql.ref(id)} and ${takesProject(rules)}
)`;

/** Needs in one statement, because databases limit the number of values. */
export const MAX_NEEDS = 1000;

/**
 * Whether a waiting task with one of these needs belongs to a project whose tasks the runner takes. The cost depends on
 * the number of templates with waiting tasks. With more than `MAX_NEEDS` needs, only the claim finds out.
 */
export const hasTaskFor = async (db: StateReader, rules: RunnerRules, needs: readonly Need[]): Promise<boolean> => {
  if (needs.length === 0 || rules.takesAll || needs.length > MAX_NEEDS) return needs.length > 0;
  const { rows } = await sql`
    with recursive ${waitingQueues(needs)}
    select 1 from queue where ${takesTemplate('queue.template_id', rules)} limit 1`.execute(stateOf(db));
  return rows.length > 0;
};

/** The runners that take queries of a project, by id. Queries carry the keys of the project. */
export const runnersOfProject = async (
  db: StateReader,
  projectId: number,
  runnerId?: number,
): Promise<ReadonlySet<number>> => {
  const project = await db.selectFrom('project').select('runner_tags').where('id', '=', projectId).executeTakeFirst();
  const listed = await db
    .selectFrom('runner_project')
    .select('runner_id')
    .where('project_id', '=', projectId)
    .execute();
  const rules = [...(await readRules(db, runnerId)).values()];
  const takes = ({ id, tags, paused, draining, isLimited }: RunnerRules): boolean =>
    project !== undefined &&
    !paused &&
    !draining &&
    hasTags(tags, project.runner_tags) &&
    (!isLimited || listed.some(({ runner_id }) => runner_id === id));
  return new Set(rules.filter(takes).map(({ id }) => id));
};
