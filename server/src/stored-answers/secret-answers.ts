import type { LaunchValues } from '@signalbox/contract';
import type { StateReader, StateTransaction } from '../database/database.ts';
import { badField } from '../http/errors/api-error.ts';
import { type AnswerTable, decryptAnswer, encryptAnswer } from '../secrets/answer-secret.ts';
import type { MasterKey } from '../secrets/master-key.ts';
import { readSurvey } from './survey.ts';

/** Number of ids in one query: SQLite limits the parameters. */
const MAX_IDS = 1000;

type Answers = Readonly<Record<string, unknown>>;

export interface GivenValues {
  /** What a task would be started with. */
  readonly values: LaunchValues;
  /** The same without secret answers, as JSON. */
  readonly stored: string;
  readonly secrets: ReadonlyMap<string, string>;
}

interface Owner {
  readonly id: number;
  readonly template_id: number;
}

/** The secret answers of objects that start tasks, each encrypted in a row of its own. */
export class SecretAnswers {
  readonly #table: AnswerTable;
  /** The tables differ only in the column that names the owner, so queries are typed by one of them. */
  readonly #names: { readonly table: 'schedule_secret'; readonly owner: 'schedule_id' };

  constructor(owner: 'schedule' | 'webhook') {
    this.#table = `${owner}_secret`;
    this.#names = { table: this.#table as 'schedule_secret', owner: `${owner}_id` as 'schedule_id' };
  }

  async #open(db: StateReader, master: MasterKey | undefined, owner: number): Promise<Record<string, string>> {
    const { table, owner: column } = this.#names;
    const rows = await db.selectFrom(table).select(['id', 'name', 'secret']).where(column, '=', owner).execute();
    if (rows.length === 0) return {};
    if (!master) throw new Error('Stored secret answers need the key that encrypts them.');
    return Object.fromEntries(rows.map((row) => [row.name, decryptAnswer(master, this.#table, row)]));
  }

  /**
   * Completes the values that a request gives with the stored secret answers. A secret answer that the request leaves
   * out is kept; an empty one or null removes it.
   * @param owner id of the schedule or webhook; undefined for a new one
   */
  async complete(
    db: StateReader,
    master: MasterKey,
    templateId: number,
    requested: LaunchValues,
    owner: number | undefined,
  ): Promise<GivenValues> {
    const answers = JSON.parse(requested.environment) as Answers;
    const names = new Set(
      ((await readSurvey(db, templateId)) ?? []).filter(({ type }) => type === 'secret').map(({ name }) => name),
    );
    const known = owner === undefined ? {} : await this.#open(db, master, owner);
    const given = Object.entries(answers).filter(([name]) => names.has(name));
    // A survey reads simple values as texts. The check refuses other ones.
    const isSimple = (answer: unknown) => ['string', 'number', 'boolean'].includes(typeof answer);
    const texts = given.filter(([, answer]) => isSimple(answer)).map(([name, text]) => [name, String(text)] as const);
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
  }

  /** Replaces the secret answers of an owner. */
  async store(
    tx: StateTransaction,
    master: MasterKey,
    owner: number,
    secrets: ReadonlyMap<string, string>,
  ): Promise<void> {
    const { table, owner: column } = this.#names;
    await tx.deleteFrom(table).where(column, '=', owner).execute();
    for (const [name, secret] of secrets) {
      const { id } = await tx
        .insertInto(table)
        .values({ [column as 'schedule_id']: owner, name, secret: '' })
        .returning('id')
        .executeTakeFirstOrThrow();
      await tx
        .updateTable(table)
        .set({ secret: encryptAnswer(master, this.#table, id, secret) })
        .where('id', '=', id)
        .execute();
    }
  }

  /**
   * Adds the secret answers of an owner to its other values, to start a task.
   * @throws bad_input when the survey no longer treats a secret answer as secret: the task would show it
   */
  async addTo(
    db: StateReader,
    master: MasterKey | undefined,
    owner: Owner,
    values: LaunchValues,
  ): Promise<LaunchValues> {
    const secrets = await this.#open(db, master, owner.id);
    const names = Object.keys(secrets);
    if (names.length === 0) return values;
    const survey = new Map(
      ((await readSurvey(db, owner.template_id)) ?? []).map((variable) => [variable.name, variable]),
    );
    for (const name of names) {
      const variable = survey.get(name);
      if (variable?.type !== 'secret')
        throw badField(`launch_values.environment.${name}`, 'answer.was_secret', { title: variable?.title || name });
    }
    return { ...values, environment: JSON.stringify({ ...JSON.parse(values.environment), ...secrets }) };
  }

  /** The names of the secret answers of owners, by the id of the owner. */
  async names(db: StateReader, owners: readonly { readonly id: number }[]): Promise<ReadonlyMap<number, string[]>> {
    const { table, owner: column } = this.#names;
    const names = new Map<number, string[]>();
    const ids = owners.map(({ id }) => id);
    for (let at = 0; at < ids.length; at += MAX_IDS) {
      const rows = await db
        .selectFrom(table)
        .select([`${column} as owner`, 'name'])
        .where(column, 'in', ids.slice(at, at + MAX_IDS))
        .orderBy('name')
        .execute();
      for (const { owner, name } of rows) names.set(owner, [...(names.get(owner) ?? []), name]);
    }
    return names;
  }
}
