import { appOf, NewTemplate, type Task, Template, withFieldsOfType } from '@signalbox/contract';
import type { Selectable } from 'kysely';
import { z } from 'zod';
import { recordCreated } from '../../audit/object-event.ts';
import type { Actor } from '../../audit/record-event.ts';
import type { StateTransaction } from '../../database/database.ts';
import type { TemplateTable } from '../../database/schema.ts';
import { registryKeyOf } from '../../execution-environments.ts';
import { storeLabels } from './template-labels.ts';

/** A template from a request, with its environment. */
export type TemplateInput = z.output<typeof NewTemplate> & { readonly environment_id: number };

/** How the values of a field are stored. Follows from the schema of the field in the API. */
interface FieldStorage {
  readonly name: keyof TemplateColumns;
  readonly toColumn: (value: unknown) => unknown;
  readonly toField: (column: unknown) => unknown;
}

type TemplateColumns = Pick<Selectable<TemplateTable>, Exclude<keyof typeof NewTemplate.shape, 'labels'>>;

const unchanged = (value: unknown): unknown => value;

const storageOf = (name: keyof TemplateColumns): FieldStorage => {
  const schema = Template.shape[name];
  if (schema instanceof z.ZodBoolean)
    return { name, toColumn: (value) => (value === true ? 1 : 0), toField: (column) => column === 1 };
  if (schema instanceof z.ZodNullable && schema.unwrap() instanceof z.ZodDiscriminatedUnion)
    return {
      name,
      toColumn: (value) => (value === null ? null : JSON.stringify(value)),
      toField: (column) => (column === null ? null : JSON.parse(String(column))),
    };
  if (schema instanceof z.ZodArray || schema instanceof z.ZodObject)
    return { name, toColumn: (value) => JSON.stringify(value), toField: (column) => JSON.parse(String(column)) };
  return { name, toColumn: unchanged, toField: unchanged };
};

const { labels: _inTheirOwnTable, ...COLUMNS } = NewTemplate.shape;
const FIELDS = (Object.keys(COLUMNS) as (keyof TemplateColumns)[]).map(storageOf);

/** Copied for each template, because an object that gets dozens of fields one by one is slow to create. */
const NO_FIELDS: Readonly<Record<string, unknown>> = Object.fromEntries(FIELDS.map(({ name }) => [name, null]));

const fieldsOf = (row: TemplateColumns): Pick<Template, keyof TemplateColumns> => {
  const fields = { ...NO_FIELDS };
  for (const { name, toField } of FIELDS) fields[name] = toField(row[name]);
  return fields as Pick<Template, keyof TemplateColumns>;
};

/** Presents a template. Its fields and its columns have the same names, see `TemplateTable`. */
export const presentTemplate = (
  row: Selectable<TemplateTable>,
  lastTask: Task | null,
  labels: readonly number[] = [],
): Template => ({
  id: row.id,
  project_id: row.project_id,
  ...fieldsOf(row),
  labels: [...labels],
  lost_at_import: row.lost_at_import === '' ? [] : row.lost_at_import.split(','),
  last_task_id: row.last_task_id,
  last_task: lastTask,
});

/** Options that the app does not have get the value that changes nothing. */
const relevantOptions = ({ app, options }: TemplateInput): TemplateInput['options'] => {
  const { features } = appOf(app);
  return {
    ...options,
    limit: features.limit ? options.limit : '',
    tags: features.arguments ? options.tags : [],
    skip_tags: features.arguments ? options.skip_tags : [],
    forks: features.arguments ? options.forks : null,
    dry_run: features.checkMode && options.dry_run,
    diff: features.diff && options.diff,
  };
};

/** Clears fields of other types and apps, so that they do not return when the type or app of the template changes. */
const relevantFields = (input: TemplateInput): TemplateInput => {
  const { features } = appOf(input.app);
  return {
    ...input,
    inventory_id: features.inventory ? input.inventory_id : null,
    vault_key_id: features.vault ? input.vault_key_id : null,
    vaults: features.vault ? input.vaults : [],
    lock_hosts: features.inventory && input.lock_hosts,
    options: relevantOptions(input),
    start_version: input.type === 'build' ? input.start_version : null,
    build_template_id: input.type === 'deploy' ? input.build_template_id : null,
    autorun: input.type === 'deploy' && input.autorun,
    survey_vars: input.survey_vars.map(withFieldsOfType),
  };
};

/** Returns the columns of a requested template. */
export const templateColumns = (input: TemplateInput): TemplateColumns => {
  const fields = relevantFields(input);
  return Object.fromEntries(FIELDS.map(({ name, toColumn }) => [name, toColumn(fields[name])])) as TemplateColumns;
};

/** Stores which objects the lists of a template name, so that none of them can be deleted. */
export const storeListedObjects = async (
  tx: StateTransaction,
  templateId: number,
  input: TemplateInput,
): Promise<void> => {
  await tx.deleteFrom('template_object').where('template_id', '=', templateId).execute();
  const { vaults, prompts } = relevantFields(input);
  const listed = (name: 'inventory_id' | 'environment_id') => (typeof prompts[name] === 'string' ? [] : prompts[name]);
  const registryKey = registryKeyOf(input.execution_environment);
  const rows = [
    ...vaults.map(({ vault_key_id }) => ({ vault_key_id })),
    // The login of a registry is a key with a password, as that of a vault.
    ...(registryKey === null ? [] : [{ vault_key_id: registryKey }]),
    ...listed('inventory_id').map((inventory_id) => ({ inventory_id })),
    ...listed('environment_id').map((environment_id) => ({ environment_id })),
  ].map((object) => ({ template_id: templateId, ...object }));
  if (rows.length > 0) await tx.insertInto('template_object').values(rows).execute();
};

export const insertTemplate = async (
  tx: StateTransaction,
  projectId: number,
  input: TemplateInput,
  actor: Actor,
  now: Date,
  lostAtImport: readonly string[] = [],
): Promise<Template> => {
  const row = await tx
    .insertInto('template')
    .values({
      project_id: projectId,
      ...templateColumns(input),
      lost_at_import: lostAtImport.join(),
      last_task_id: null,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  await storeListedObjects(tx, row.id, input);
  await storeLabels(tx, row.id, input.labels);
  await recordCreated(tx, 'template', row, actor, now);
  return presentTemplate(row, null, input.labels);
};
