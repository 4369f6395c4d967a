import { LaunchValues, SurveyVariable } from '@signalbox/contract';
import { z } from 'zod';
import type { StateReader, StateTransaction } from '../../database/database.ts';
import { badField } from '../../http/errors/api-error.ts';
import type { MasterKey } from '../../secrets/master-key.ts';
import { decryptScheduleSecret, encryptScheduleSecret } from '../../secrets/schedule-secret.ts';
import type { ScheduleRow } from './schedule.store.ts';
import { savedValues } from './schedule-saved-launch.ts';

const Survey = z.array(SurveyVariable);

type Answers = Readonly<Record<string, unknown>>;

/** The stored values of a schedule without its secret answers. */
export const storedValues = ({ launch_values }: { readonly launch_values: string }): LaunchValues =>
  LaunchValues.parse(JSON.parse(launch_values));

const surveyOf = async (db: StateReader, templateId: number): Promise<readonly SurveyVariable[]> => {
  const template = await db
    .selectFrom('template')
    .select('survey_vars')
    .where('id', '=', templateId)
    .executeTakeFirstOrThrow();
  return Survey.parse(JSON.parse(template.survey_vars));
};

const openSecrets = async (
  db: StateReader,
  master: MasterKey | undefined,
  scheduleId: number,
): Promise<Record<string, string>> => {
  const rows = await db.selectFrom('schedule_secret').selectAll().where('schedule_id', '=', scheduleId).execute();
  if (rows.length === 0) return {};
  if (!master) throw new Error('A schedule with secret answers needs the key that encrypts them.');
  return Object.fromEntries(rows.map((row) => [row.name, decryptScheduleSecret(master, row)]));
};

export interface GivenValues {
  /** What a task would be started with. */
  readonly values: LaunchValues;
  /** The same without secret answers, as JSON. */
  readonly stored: string;
  readonly secrets: ReadonlyMap<string, string>;
}

/**
 * Completes the values that a request gives with the stored secret answers. A secret answer that the request leaves out
 * is kept; an empty one or null removes it.
 * @param scheduleId undefined for a new schedule
 */
export const completeValues = async (
  db: StateReader,
  master: MasterKey,
  templateId: number,
  requested: LaunchValues,
  scheduleId: number | undefined,
): Promise<GivenValues> => {
  const answers = JSON.parse(requested.environment) as Answers;
  const names = new Set(
    (await surveyOf(db, templateId)).filter(({ type }) => type === 'secret').map(({ name }) => name),
  );
  const known = scheduleId === undefined ? {} : await openSecrets(db, master, scheduleId);
  const given = Object.entries(answers).filter(([name]) => names.has(name));
  // A survey reads simple values as texts. The check refuses other ones.
  const isSimple = (answer: unknown) => ['string', 'number', 'boolean'].includes(typeof answer);
  const texts = given.filter(([, answer]) => isSimple(answer)).map(([name, answer]) => [name, String(answer)] as const);
  const cleared = given.filter(([, answer]) => answer === null).map(([name]) => [name, ''] as const);
  const wrong = given.filter(([, answer]) => answer !== null && !isSimple(answer));
  const kept = Object.entries(known).filter(([name]) => names.has(name));
  const secrets = new Map([...kept, ...texts, ...cleared]);
  for (const [name, secret] of secrets) if (secret === '') secrets.delete(name);
  const open = Object.fromEntries(Object.entries(answers).filter(([name]) => !names.has(name)));
  return {
    values: { ...requested, environment: JSON.stringify({ ...open, ...Object.fromEntries([...secrets, ...wrong]) }) },
    stored: JSON.stringify({ ...requested, environment: JSON.stringify(open) }),
    secrets,
  };
};

/** Replaces the secret answers of a schedule. */
export const storeSecrets = async (
  tx: StateTransaction,
  master: MasterKey,
  scheduleId: number,
  secrets: ReadonlyMap<string, string>,
): Promise<void> => {
  await tx.deleteFrom('schedule_secret').where('schedule_id', '=', scheduleId).execute();
  for (const [name, secret] of secrets) {
    const { id } = await tx
      .insertInto('schedule_secret')
      .values({ schedule_id: scheduleId, name, secret: '' })
      .returning('id')
      .executeTakeFirstOrThrow();
    await tx
      .updateTable('schedule_secret')
      .set({ secret: encryptScheduleSecret(master, id, secret) })
      .where('id', '=', id)
      .execute();
  }
};

/**
 * The values of a schedule with its secret answers, to start a task.
 * @throws bad_input when the survey no longer treats a secret answer as secret: the task would show it
 */
export const valuesToLaunch = async (
  db: StateReader,
  master: MasterKey | undefined,
  row: Pick<ScheduleRow, 'id' | 'project_id' | 'template_id' | 'launch_values' | 'saved_launch_id'>,
): Promise<LaunchValues> => {
  const saved = (await savedValues(db, [row])).get(row.saved_launch_id ?? 0);
  if (saved) return saved;
  const values = storedValues(row);
  const secrets = await openSecrets(db, master, row.id);
  const names = Object.keys(secrets);
  if (names.length === 0) return values;
  const survey = new Map((await surveyOf(db, row.template_id)).map((variable) => [variable.name, variable]));
  for (const name of names) {
    const variable = survey.get(name);
    if (variable?.type !== 'secret')
      throw badField(`launch_values.environment.${name}`, 'answer.was_secret', { title: variable?.title || name });
  }
  return { ...values, environment: JSON.stringify({ ...JSON.parse(values.environment), ...secrets }) };
};

/** The names of the secret answers of the projects of schedules, by the id of the schedule. */
export const secretNames = async (
  db: StateReader,
  schedules: readonly { readonly id: number; readonly project_id: number }[],
): Promise<ReadonlyMap<number, string[]>> => {
  const names = new Map<number, string[]>();
  const rows = await db
    .selectFrom('schedule_secret')
    .innerJoin('schedule', 'schedule.id', 'schedule_secret.schedule_id')
    .select(['schedule_secret.schedule_id', 'schedule_secret.name'])
    .where('schedule.project_id', 'in', [0, ...new Set(schedules.map(({ project_id }) => project_id))])
    .$if(schedules.length === 1, (qb) => qb.where('schedule.id', '=', schedules[0]?.id ?? 0))
    .orderBy('schedule_secret.name')
    .execute();
  for (const { schedule_id, name } of rows) names.set(schedule_id, [...(names.get(schedule_id) ?? []), name]);
  return names;
};
