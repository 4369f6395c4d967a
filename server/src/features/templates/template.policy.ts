import type { ChoiceSource } from '@signalbox/contract';
import type { StateTransaction } from '../../database/database.ts';
import { lockRow } from '../../database/queries/lock-row.ts';
import { registryKeyFields } from '../../execution-environments.ts';
import { badField } from '../../http/errors/api-error.ts';
import { checkReferences } from '../../http/objects/references.ts';
import { parseJsonPath } from '../../json-path.ts';
import { checkPasswordKeys } from '../../password-keys.ts';
import { findBadPattern } from '../../survey-pattern.ts';
import type { TemplateInput } from './template.store.ts';

const checkPatterns = async ({ survey_vars }: TemplateInput): Promise<void> => {
  const bad = await findBadPattern(survey_vars);
  if (bad !== undefined) throw badField(`survey_vars.${bad}.pattern`, 'field.pattern');
};

/** Whether choices of surveys may be read from an address. */
export type IsAllowedAddress = (address: string) => boolean;

const checkAddress = (field: string, source: ChoiceSource, isAllowed: IsAllowedAddress): void => {
  if (!isAllowed(source.url)) throw badField(`${field}.url`, 'field.choice_address');
  for (const name of ['path', 'value_path', 'name_path'] as const)
    if (source[name] !== '' && parseJsonPath(source[name]) === undefined)
      throw badField(`${field}.${name}`, 'field.json_path');
};

/** The sources of the choices that a survey offers. */
const checkSources = async (
  db: StateTransaction,
  projectId: number,
  { survey_vars }: TemplateInput,
  isAllowed: IsAllowedAddress,
): Promise<void> => {
  for (const [index, { source }] of survey_vars.entries()) {
    if (source?.type === 'address') checkAddress(`survey_vars.${index}.source`, source, isAllowed);
    if (source?.type !== 'versions') continue;
    const built = await db
      .selectFrom('template')
      .select('type')
      .where('id', '=', source.template_id)
      .where('project_id', '=', projectId)
      .executeTakeFirst();
    if (built?.type !== 'build') throw badField(`survey_vars.${index}.source.template_id`, 'field.build_template');
  }
};

/** The objects that a user may choose when starting a task must belong to the project. */
const checkPrompts = async (db: StateTransaction, projectId: number, { prompts }: TemplateInput): Promise<void> => {
  const listed = (name: 'inventory_id' | 'environment_id', table: 'inventory' | 'environment') => {
    const values = prompts[name];
    if (typeof values === 'string') return [];
    return values.map((id, index) => [`prompts.${name}.${index}`, table, id] as const);
  };
  await checkReferences(db, projectId, [
    ...listed('inventory_id', 'inventory'),
    ...listed('environment_id', 'environment'),
  ]);
};

/**
 * Checks a template against its project: referenced objects must belong to the project, the keys of vaults and
 * registries must hold a password, a deploy must refer to a build template, and the patterns of its survey must be regular expressions. Locks
 * objects whose type matters, so that it cannot change.
 * @param id id of a changed template, which cannot be its own build
 */
export const checkTemplate = async (
  db: StateTransaction,
  projectId: number,
  { input, isAllowed }: { readonly input: TemplateInput; readonly isAllowed: IsAllowedAddress },
  id?: number,
): Promise<void> => {
  await checkPatterns(input);
  await checkReferences(db, projectId, [
    ['inventory_id', 'inventory', input.inventory_id],
    ['environment_id', 'environment', input.environment_id],
    ['repository_id', 'repository', input.repository_id],
    ...input.labels.map((id, index) => [`labels.${index}`, 'label', id] as const),
    ['view_id', 'view', input.view_id],
    ['build_template_id', 'template', input.build_template_id],
  ]);
  await checkPasswordKeys(db, projectId, [
    ...(input.vault_key_id === null ? [] : [['vault_key_id', input.vault_key_id] as const]),
    ...input.vaults.map((vault, index) => [`vaults.${index}.vault_key_id`, vault.vault_key_id] as const),
    ...registryKeyFields(input.execution_environment),
  ]);
  await checkPrompts(db, projectId, input);
  await checkSources(db, projectId, input, isAllowed);
  if (input.type === 'deploy' && input.build_template_id !== null) {
    const built = await lockRow(db, 'template', projectId, input.build_template_id);
    if (built?.type !== 'build' || input.build_template_id === id) {
      throw badField('build_template_id', 'field.build_template');
    }
  }
  if (id !== undefined && input.type !== 'build') {
    const deploy = await db
      .selectFrom('template')
      .select('name')
      .where('build_template_id', '=', id)
      .limit(1)
      .executeTakeFirst();
    if (deploy) throw badField('type', 'field.stays_build', { name: deploy.name });
  }
};
