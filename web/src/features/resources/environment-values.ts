import type { BodyInput, Environment, RouteTable, SecretVariableType } from '@signalbox/contract';
import { jsonProblem } from '../../ui/forms/code-problem.ts';

/** A secret variable in the form. An empty value keeps the stored one. */
export interface SecretRow {
  /** Id of the row while the form is open. */
  readonly key: number;
  /** Null for a variable that is not stored. */
  readonly id: number | null;
  readonly name: string;
  readonly type: SecretVariableType;
  readonly secret: string;
}

export type EnvironmentValues = { name: string; json: string; env: string; secrets: SecretRow[] };

export const newEnvironmentValues = (item: Environment | undefined): EnvironmentValues => ({
  name: item?.name ?? '',
  json: item?.json ?? '{}',
  env: item?.env ?? '{}',
  secrets: (item?.secrets ?? []).map(({ id, name, type }) => ({ key: id, id, name, type, secret: '' })),
});

const isName = (name: string): boolean => /^[A-Za-z_][A-Za-z0-9_]*$/.test(name.trim());

/** Catalogue key of the error for the first invalid secret variable. */
const secretsProblem = (rows: readonly SecretRow[]): string | undefined => {
  if (rows.some(({ name }) => !isName(name))) return 'environment.secretName';
  if (rows.some(({ id, secret }) => id === null && secret === '')) return 'environment.secretValue';
  const names = rows.map(({ name, type }) => `${type} ${name.trim()}`);
  return new Set(names).size === names.length ? undefined : 'environment.secretTwice';
};

/** Catalogue keys of the errors, by field. */
export const environmentProblems = (values: EnvironmentValues): Record<string, string | undefined> => ({
  name: values.name.trim() === '' ? 'form.nameRequired' : undefined,
  json: jsonProblem(values.json, 'object')?.key,
  env: jsonProblem(values.env, 'object')?.key,
  secrets: secretsProblem(values.secrets),
});

const orNothing = (text: string): string => (text.trim() === '' ? '{}' : text);

/** The body of the request. It contains only the secret variables that are new, changed or removed. */
export const environmentBody = (
  values: EnvironmentValues,
  stored: Environment | undefined,
): BodyInput<RouteTable['createEnvironment']> => {
  const kept = new Set(values.secrets.map(({ id }) => id));
  const removed = (stored?.secrets ?? []).filter(({ id }) => !kept.has(id));
  return {
    name: values.name.trim(),
    json: orNothing(values.json),
    env: orNothing(values.env),
    secrets: [
      ...removed.map(({ id }) => ({ id, operation: 'delete' as const })),
      ...values.secrets.map(({ id, name, type, secret }) => ({
        ...(id === null ? {} : { id }),
        name: name.trim(),
        type,
        ...(secret === '' ? {} : { secret }),
        operation: id === null ? ('create' as const) : ('update' as const),
      })),
    ],
  };
};
