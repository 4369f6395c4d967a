import { EnvironmentKind, type ExecutionEnvironment, SYSTEM_ENVIRONMENT } from '@signalbox/contract';
import type { StateTransaction } from './database/database.ts';
import { ApiError, badField } from './http/errors/api-error.ts';
import { checkPasswordKeys, type KeyField } from './password-keys.ts';

/** What administrators allow of execution environments. */
export interface EnvironmentRules {
  readonly allowed: readonly EnvironmentKind[];
  /** The execution environment of projects that set none. */
  readonly default: ExecutionEnvironment;
}

/** The rules without settings. */
export const EVERY_ENVIRONMENT: EnvironmentRules = { allowed: EnvironmentKind.options, default: SYSTEM_ENVIRONMENT };

export const readEnvironment = (json: string | null): ExecutionEnvironment | null =>
  json === null ? null : (JSON.parse(json) as ExecutionEnvironment);

/** The key with the login of the registry of a container image; null without one. */
export const registryKeyOf = (environment: ExecutionEnvironment | null): number | null =>
  environment?.kind === 'container' ? environment.registry_key_id : null;

/** The field with the key of a registry, as `checkPasswordKeys` expects it. */
export const registryKeyFields = (environment: ExecutionEnvironment | null): readonly KeyField[] => {
  const id = registryKeyOf(environment);
  return id === null ? [] : [['execution_environment.registry_key_id', id]];
};

/** Refuses a registry whose key is not one of the project with a password. @throws bad_input */
export const checkRegistryKey = async (
  tx: StateTransaction,
  projectId: number,
  environment: ExecutionEnvironment | null,
): Promise<void> => {
  await checkPasswordKeys(tx, projectId, registryKeyFields(environment));
};

/** The name of the project if its own execution environment uses a key. */
export const projectWithRegistryKey = async (
  tx: StateTransaction,
  projectId: number,
  keyId: number,
): Promise<string | undefined> => {
  const project = await tx
    .selectFrom('project')
    .select(['name', 'execution_environment'])
    .where('id', '=', projectId)
    .executeTakeFirstOrThrow();
  return registryKeyOf(readEnvironment(project.execution_environment)) === keyId ? project.name : undefined;
};

/** Which kind is refused, and which are allowed. */
export const refusalOf = ({ allowed }: EnvironmentRules, { kind }: ExecutionEnvironment) => ({
  kind,
  allowed: allowed.join(', '),
});

/**
 * Refuses to store an execution environment whose kind is not allowed. A kind that was stored before may stay, so that other
 * fields can be changed.
 * @throws bad_input
 */
export const checkEnvironment = (
  rules: EnvironmentRules,
  wanted: ExecutionEnvironment | null,
  before: ExecutionEnvironment | null = null,
): void => {
  if (wanted === null || rules.allowed.includes(wanted.kind) || wanted.kind === before?.kind) return;
  throw badField('execution_environment', 'field.execution_environment', refusalOf(rules, wanted));
};

interface Stored {
  readonly execution_environment: string | null;
}

/**
 * The execution environment of a new task: that of its template, else that of its project, else the default.
 * @throws conflict.execution_environment if it is not allowed
 */
export const environmentOfTask = (rules: EnvironmentRules, template: Stored, project: Stored): ExecutionEnvironment => {
  const found =
    readEnvironment(template.execution_environment) ?? readEnvironment(project.execution_environment) ?? rules.default;
  if (rules.allowed.includes(found.kind)) return found;
  throw new ApiError('conflict.execution_environment', refusalOf(rules, found));
};
