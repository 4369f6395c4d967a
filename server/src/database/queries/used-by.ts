import type { References } from '@signalbox/contract';
import { sql } from 'kysely';
import type { StateReader } from '../database.ts';

export type Usable = 'access_key' | 'repository' | 'inventory' | 'environment' | 'template';

type List = Exclude<keyof References, 'used_by_hidden'>;

type Column = readonly [
  list: List,
  table: 'template' | 'template_object' | 'repository' | 'inventory' | 'schedule',
  column: string,
];

/** A schedule without a name is identified by its template and its cron. */
const SCHEDULE_NAME = sql<string>`coalesce(nullif(schedule.name, ''),
  (select template.name from template where template.id = schedule.template_id) || ' (' || coalesce(nullif(schedule.cron_format, ''), schedule.run_at, cast(schedule.interval_seconds as text) || ' s') || ')')`.as(
  'name',
);

/** The columns that refer to each table. */
const USERS: Readonly<Record<Usable, readonly Column[]>> = {
  access_key: [
    ['templates', 'template', 'vault_key_id'],
    ['templates', 'template_object', 'vault_key_id'],
    ['repositories', 'repository', 'ssh_key_id'],
    ['inventories', 'inventory', 'ssh_key_id'],
    ['inventories', 'inventory', 'become_key_id'],
  ],
  repository: [
    ['templates', 'template', 'repository_id'],
    ['schedules', 'schedule', 'repository_id'],
  ],
  inventory: [
    ['templates', 'template', 'inventory_id'],
    ['templates', 'template_object', 'inventory_id'],
  ],
  environment: [
    ['templates', 'template', 'environment_id'],
    ['templates', 'template_object', 'environment_id'],
  ],
  template: [['templates', 'template', 'build_template_id']],
};

const NONE: ReadonlySet<number> = new Set();

const schedulesOf = async (db: StateReader, templates: ReadonlySet<number>): Promise<ReadonlySet<number>> => {
  if (templates.size === 0) return NONE;
  const rows = await db
    .selectFrom('schedule')
    .select('id')
    .where('template_id', 'in', [...templates])
    .execute();
  return new Set(rows.map(({ id }) => id));
};

/** The templates that name an object in a list. */
const listedIn = (db: StateReader, column: string, id: number) =>
  db
    .selectFrom('template_object')
    .innerJoin('template', 'template.id', 'template_object.template_id')
    .select(['template.id', 'template.name'])
    .where(`template_object.${column as 'vault_key_id'}`, '=', id)
    .orderBy('template.id')
    .execute();

/** The templates on which a grant fixes an inventory: those of the grant, or of its view. */
const grantedWith = (db: StateReader, inventoryId: number) =>
  db
    .selectFrom('access_grant')
    .leftJoin('template', (join) =>
      join.on((eb) =>
        eb.or([
          eb('template.id', '=', eb.ref('access_grant.template_id')),
          eb('template.view_id', '=', eb.ref('access_grant.view_id')),
        ]),
      ),
    )
    .select(['template.id', 'template.name'])
    .where('access_grant.inventory_id', '=', inventoryId)
    .orderBy('template.id')
    .execute();

/**
 * Objects that refer to a row and so prevent its deletion; each once, oldest first.
 * @param hidden ids of templates that the caller must not see; they and their schedules are not named
 */
export const findReferences = async (
  db: StateReader,
  table: Usable,
  id: number,
  hidden: ReadonlySet<number>,
): Promise<References> => {
  const found: Record<List, Map<number, string>> = {
    templates: new Map(),
    inventories: new Map(),
    repositories: new Map(),
    schedules: new Map(),
  };
  let usedByHidden = false;
  for (const [list, user, column] of USERS[table]) {
    const rows =
      user === 'template_object'
        ? await listedIn(db, column, id)
        : await db
            .selectFrom(user as 'template')
            .select('id')
            .select(user === 'schedule' ? SCHEDULE_NAME : 'name')
            .where(column as 'vault_key_id', '=', id)
            .orderBy('id')
            .execute();
    const secret = list === 'schedules' ? await schedulesOf(db, hidden) : list === 'templates' ? hidden : NONE;
    for (const row of rows) {
      if (secret.has(row.id)) usedByHidden = true;
      else found[list].set(row.id, row.name);
    }
  }
  if (table === 'inventory')
    for (const { id: template, name } of await grantedWith(db, id)) {
      // A grant on a view without templates has none to name.
      if (template === null || name === null || hidden.has(template)) usedByHidden = true;
      else found.templates.set(template, name);
    }
  const listed = (list: List) => [...found[list]].map(([one, name]) => ({ id: one, name }));
  return {
    templates: listed('templates'),
    inventories: listed('inventories'),
    repositories: listed('repositories'),
    schedules: listed('schedules'),
    used_by_hidden: usedByHidden,
  };
};
