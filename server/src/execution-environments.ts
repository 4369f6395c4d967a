import { EnvironmentKind, type ExecutionEnvironment, SYSTEM_ENVIRONMENT } from '@signalbox/contract';
import { ApiError, badField } from './http/errors/api-error.ts';

/** What administrators allow of execution environments. */
export interface EnvironmentRules {
  readonly allowed: readonly EnvironmentKind[];
  /** That of projects which have none of their own. */
  readonly default: ExecutionEnvironment;
}

/** The rules without settings. */
export const EVERY_ENVIRONMENT: EnvironmentRules = { allowed: EnvironmentKind.options, default: SYSTEM_ENVIRONMENT };

export const readEnvironment = (json: string | null): ExecutionEnvironment | null =>
  json === null ? null : (JSON.parse(json) as ExecutionEnvironment);

const refusal = ({ allowed }: EnvironmentRules, { kind }: ExecutionEnvironment) => ({
  kind,
  allowed: allowed.join(', '),
});

/**
 * Refuses to store an execution environment that is not allowed. One that was stored before may stay, so that other fields can
 * be changed.
 * @throws bad_input
 */
export const checkEnvironment = (
  rules: EnvironmentRules,
  wanted: ExecutionEnvironment | null,
  before: ExecutionEnvironment | null = null,
): void => {
  if (wanted === null || rules.allowed.includes(wanted.kind) || wanted.kind === before?.kind) return;
  throw badField('execution_environment', 'field.execution_environment', refusal(rules, wanted));
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
  throw new ApiError('conflict.execution_environment', refusal(rules, found));
};
