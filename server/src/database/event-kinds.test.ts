import type { Params } from '@signalbox/contract';
import { eventMessage, textsIn } from '@signalbox/lang';
import { EVENTS } from '@signalbox/lang/catalogues';
import { type Kysely, sql } from 'kysely';
import { expect, it } from 'vitest';
import { readEvent } from '../audit/read-event.ts';
import { withOpenLocation } from '../testing/database/database-snapshot.ts';
import { describeEachEmptyDatabase } from '../testing/database/databases.ts';
import { migrateAll, STATE_STEPS } from './migrate.ts';

const BEFORE = Object.fromEntries(Object.entries(STATE_STEPS).filter(([name]) => name < '0036'));

type Old = readonly [type: string, name: string, text: string, german?: string];

const NAMED = ['Template', 'Inventory', 'Environment', 'Repository', 'Key', 'View', 'Alert receiver', 'Schedule'];
const OBJECTS = NAMED.flatMap((noun): Old[] => {
  const type = noun.toLowerCase().replace(' ', '_');
  return ['created', 'changed', 'deleted'].map((verb) => [type, 'Web (1) $& [x]', `${noun} Web (1) $& [x] ${verb}`]);
});
const LATER =
  'The runner east came back when task #7 of Web had ended already: what it has of it is kept on that runner for 24 hours';

/** One text of every form that older versions stored, of objects with the id 7. */
const OLD: readonly Old[] = [
  ...OBJECTS,
  ['project', 'Shop', 'Project Shop created', 'Projekt Shop angelegt'],
  ['project', 'Shop', 'Project Shop changed'],
  ['project', 'Shop', 'Project Shop deleted'],
  ['project', 'Shop', 'Project Shop imported on the command line'],
  ['project', 'Shop', '1 task and 12 logs removed: older than what is to be kept'],
  ['project', 'Shop', '2 tasks and 1 log removed: older than what is to be kept'],
  [
    'project',
    'Shop',
    '1234 tasks removed: older than what is to be kept',
    'Nach Ablauf der Aufbewahrungsfrist entfernt: 1234 Aufgaben',
  ],
  [
    'project',
    'Shop',
    '1 log removed: older than what is to be kept',
    'Nach Ablauf der Aufbewahrungsfrist entfernt: 1 Log',
  ],
  ['schedule', 'Nightly', 'Schedule Nightly paused'],
  ['schedule', '0 3 * * *', 'Schedule 0 3 * * * resumed'],
  ['schedule', 'Nightly', 'Schedule Nightly changed and paused'],
  ['schedule', 'Nightly', 'Schedule Nightly changed and resumed', 'Zeitplan Nightly geändert und fortgesetzt'],
  [
    'schedule',
    'Nightly',
    'Schedule Nightly of Web missed 1 due time, at 2026-03-01 03:00 Europe/Berlin',
    'Zeitplan Nightly der Vorlage Web hat 1 Termin verpasst: 2026-03-01 03:00 Europe/Berlin',
  ],
  ['schedule', 'Nightly', 'Schedule Nightly of Web missed 5 due times, the last at 2026-03-01 03:00 UTC'],
  ['schedule', 'Nightly', 'Schedule Nightly of Web missed more than 1000 due times, the last at 2026-03-01 03:00 UTC'],
  [
    'schedule',
    'Nightly',
    'Schedule Nightly of Web started no task at 2026-03-01 03:00 UTC: There is no successful build that it could bring.',
    'Zeitplan Nightly der Vorlage Web hat um 2026-03-01 03:00 UTC keine Aufgabe gestartet: Es gibt keinen erfolgreichen Build, der ausgerollt werden könnte.',
  ],
  [
    'schedule',
    'Nightly',
    'Schedule Nightly of Web started no task at 2026-03-01 03:00 UTC: no runner is connected that could look for a new commit.',
  ],
  [
    'schedule',
    'Nightly',
    'Schedule Nightly of Web started no task at 2026-03-01 03:00 UTC: The template lost limit, tags when it was imported: check it and save it once.',
  ],
  [
    'schedule',
    'Nightly',
    'Schedule Nightly of Web started no task at 2026-03-01 03:00 UTC: Port is required; Count must be integer.',
  ],
  ['schedule', 'Nightly', 'Schedule Nightly of Web goes by Europe/Berlin now, no more by UTC'],
  ['schedule', 'Nightly', 'Schedule Nightly of Web goes by the clock again: it had been set ahead'],
  ['task', 'Web', 'Task #7 of Web started', 'Aufgabe #7 der Vorlage Web gestartet'],
  ['task', 'Web', 'Task #7 of Web started by schedule Nightly'],
  ['task', 'Web started by schedule x', 'Task #7 of Web started by schedule x succeeded'],
  ['task', 'Web', 'Task #7 of Web failed'],
  ['task', 'Web', 'Task #7 of Web was stopped'],
  ['task', 'Web', 'Task #7 of Web was asked to stop'],
  ['task', 'Web', 'Task #7 of Web was asked to stop by force'],
  ['task', 'Web', 'Task #7 of Web deleted'],
  ['task', 'Web', LATER],
  [
    'template',
    'Deploy web',
    'Deploy web could not start after build 1.2: build_task_id must be a successful task of the build template.',
    'Deploy web konnte nach Build 1.2 nicht starten: build_task_id muss eine erfolgreiche Aufgabe der Build-Vorlage sein.',
  ],
  ['template', 'Deploy web', 'Deploy web could not start after build 1.2: fatal:\nno repository'],
  ['view', '', 'Views put into another order', 'Ansichten umgeordnet'],
  ['key', 'Git', 'Key Git tested on runner east'],
  ['key', '', 'A key that is not saved tested on runner east'],
  ['repository', 'https://git.example/y.git', 'Access to https://git.example/y.git tested on runner east'],
  ['project_user', 'ana', 'ana added to the team as Guest', 'ana als Gast ins Team aufgenommen'],
  ['project_user', 'ana', 'ana is now Owner', 'ana ist jetzt Eigentümer'],
  ['project_user', 'ana', 'ana is now Manager by the groups of LDAP'],
  ['project_user', 'ana', 'ana is now Task Runner'],
  ['project_user', 'ana', 'ana left the team'],
  ['project_user', 'ana', 'ana removed from the team'],
  ['project_user', 'ana', 'ana removed from the team by the groups of LDAP'],
  ['user', 'ana', 'User ana created'],
  ['user', 'ana', 'User ana created on the command line'],
  ['user', 'admin', 'User admin created at the first start'],
  ['user', 'ana', 'User ana created at the first sign-in with LDAP'],
  ['user', 'ana', 'User ana linked with LDAP'],
  ['user', 'ana', 'User ana changed'],
  ['user', 'ana', 'User anna changed', 'Benutzer anna geändert'],
  ['user', 'ana', 'User anna changed on the command line', 'Benutzer anna über die Befehlszeile geändert'],
  ['user', 'ana', 'User ana deleted'],
  ['user', 'ana', 'User ana deleted on the command line'],
  ['user', 'ana', 'User ana signed in'],
  ['user', 'ana', 'Password of ana changed'],
  ['user', 'ana', 'Password of ana changed on the command line'],
  ['user', 'ana', 'ana is now an administrator by the groups of LDAP'],
  ['user', 'ana', 'ana is no longer an administrator by the groups of LDAP'],
  ['user', 'ana', 'Second factor of ana turned on'],
  ['user', 'ana', 'Second factor of ana turned off'],
  ['user', 'ana', 'Second factor of ana reset'],
  ['user', 'ana', 'Second factor of ana reset on the command line'],
  ['user', 'ana', 'Recovery codes of ana made anew'],
  ['user', 'ana', 'ana used a recovery code; left: 7', 'ana hat einen Wiederherstellungscode verwendet; noch übrig: 7'],
  ['user', 'ana', 'Confirmation mail for ana requested'],
  ['user', 'ana', 'E-mail address of ana confirmed'],
  ['token', 'ci', 'API token ci created'],
  ['token', 'ci', 'API token ci revoked'],
  ['runner', 'east', 'Runner east added'],
  ['runner', 'east', 'Runner east removed'],
];

/** Parts that have another wording in English since then. */
const REWORDED: readonly (readonly [string, string])[] = [
  ['There is no successful build that it could bring.', 'There is no successful build to deploy.'],
  ['that could look for a new commit.', 'that could check for a new commit.'],
  ['Recovery codes of ana made anew', 'Recovery codes of ana renewed'],
  ['E-mail address', 'Email address'],
];
const inEnglishToday = (text: string): string => REWORDED.reduce((now, [old, next]) => now.replace(old, next), text);

/** Texts without a kind, and one that names another object than its row. */
const UNKNOWN: readonly Old[] = [
  ['task', 'Web', 'Nobody in particular "{{name}}" $t(text)'],
  ['nothing', 'Web', ''],
  ['template', 'Other', 'Template Web created'],
];

const insertOld = async (db: Kysely<unknown>, rows: readonly Old[]): Promise<void> => {
  const values = rows.map(
    ([type, name, text]) => sql`(7, ${type}, ${name}, ${text}, '::1', '2026-01-02T03:04:05.678Z')`,
  );
  await sql`insert into event (object_id, object_type, object_name, description, address, created) values ${sql.join(values)}`.execute(
    db,
  );
};

describeEachEmptyDatabase('[R13] events of an older version', (makeLocation) => {
  const upgraded = async (rows: readonly Old[]) =>
    withOpenLocation(await makeLocation(), async (database, logs) => {
      await migrateAll(database, logs, { state: BEFORE });
      await insertOld(database.autocommit as unknown as Kysely<unknown>, rows);
      await migrateAll(database, logs);
      return await database.read.selectFrom('event').select(['id', 'kind', 'params']).orderBy('id').execute();
    });

  it('keep their English text and are translated', async () => {
    const events = await upgraded([...OLD, ...UNKNOWN]);
    const read = events.map(({ kind, params }) => readEvent(kind, params).description);
    expect(read).toEqual([...OLD, ...UNKNOWN].map(([, , text]) => inEnglishToday(text)));
    const inGerman = textsIn('de', [EVENTS.de]);
    const german = events.map(({ kind, params }) =>
      inGerman(eventMessage({ kind, params: JSON.parse(params) as Params })),
    );
    OLD.forEach(([, , text, expected], at) => {
      expect(german[at], text).not.toBe(text);
      if (expected !== undefined) expect(german[at]).toBe(expected);
    });
    expect(events.slice(OLD.length).map(({ kind }) => kind)).toEqual(UNKNOWN.map(() => 'text'));
    expect(german.slice(OLD.length)).toEqual(UNKNOWN.map(([, , text]) => text));
  });

  it('have typed parameters', async () => {
    const events = await upgraded(OLD);
    const paramsOf = (text: string): unknown =>
      JSON.parse(events[OLD.findIndex(([, , one]) => one === text)]?.params ?? '');
    expect(paramsOf('Task #7 of Web started by schedule Nightly')).toEqual({
      id: 7,
      template: 'Web',
      schedule: 'Nightly',
    });
    expect(paramsOf('User anna changed')).toEqual({ user: 'anna', old_name: 'ana' });
    expect(paramsOf('ana is now Task Runner')).toEqual({ user: 'ana', role: { code: 'role.task_runner' } });
    expect(paramsOf('Views put into another order')).toEqual({});
    expect(paramsOf(LATER)).toEqual({ id: 7, template: 'Web', runner: 'east' });
    expect(paramsOf('1 task and 12 logs removed: older than what is to be kept')).toEqual({ tasks: 1, logs: 12 });
  });

  it('are converted in several batches', async () => {
    const many = Array.from(
      { length: 2500 },
      (_, at): Old => ['task', 'Web', `Task #${7} of Web ${at % 2 ? 'failed' : 'succeeded'}`],
    );
    const events = await upgraded(many);
    expect(events.map(({ kind }) => kind)).toEqual(many.map((_, at) => (at % 2 ? 'task.failed' : 'task.succeeded')));
  });
});
