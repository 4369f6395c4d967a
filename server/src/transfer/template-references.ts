import type { ExecutionEnvironment, Prompts, SurveyVariable, Vault } from '@signalbox/contract';

/** The passwords of vaults in a file, with the names of their keys. */
export interface NamedVault {
  readonly name: string;
  readonly vault_key: string;
}

/** Prompts in a file: inventories and environments have names. */
export type NamedPrompts = Omit<Prompts, 'inventory_id' | 'environment_id'> & {
  readonly inventory: 'fixed' | 'any' | string[];
  readonly environment: 'fixed' | 'any' | string[];
};

const mapped = <From, To>(allowed: 'fixed' | 'any' | readonly From[], convert: (one: From) => To) =>
  typeof allowed === 'string' ? allowed : allowed.map(convert);

export const nameVaults = (vaults: readonly Vault[], nameOfKey: (id: number) => string): NamedVault[] =>
  vaults.map(({ name, vault_key_id }) => ({ name, vault_key: nameOfKey(vault_key_id) }));

export const namePrompts = (
  { inventory_id, environment_id, ...prompts }: Prompts,
  nameOf: { readonly inventory: (id: number) => string; readonly environment: (id: number) => string },
): NamedPrompts => ({
  ...prompts,
  inventory: mapped(inventory_id, nameOf.inventory),
  environment: mapped(environment_id, nameOf.environment),
});

/**
 * Prompts as a request has them. Fields that the file does not have get their default.
 * @throws whatever `idOf` throws for a name that was not imported
 */
export const identifyPrompts = (
  { inventory, environment, ...prompts }: Partial<NamedPrompts>,
  idOf: (kind: 'inventory' | 'environment', name: string) => number,
): object => ({
  ...prompts,
  ...(inventory === undefined ? {} : { inventory_id: mapped(inventory, (name) => idOf('inventory', name)) }),
  ...(environment === undefined ? {} : { environment_id: mapped(environment, (name) => idOf('environment', name)) }),
});

/** A survey variable in a file: the build template of its choices has a name. */
export type NamedVariable = Omit<SurveyVariable, 'source'> & {
  source: ({ template: string | null } & Record<string, unknown>) | null;
};

export const nameSources = (
  survey: readonly SurveyVariable[],
  nameOfTemplate: (id: number) => string,
): NamedVariable[] =>
  survey.map(({ source, ...variable }) => {
    if (source === null) return { ...variable, source };
    const { template_id, ...rest } = source;
    return { ...variable, source: { ...rest, template: template_id === null ? null : nameOfTemplate(template_id) } };
  });

/**
 * Survey variables as a request has them.
 * @throws whatever `idOf` throws for a build template that was not imported
 */
export const identifySources = (
  survey: readonly { readonly source?: { readonly template?: string | null | undefined } | null | undefined }[],
  idOf: (name: string) => number,
): object[] =>
  survey.map(({ source, ...variable }) => {
    if (!source) return variable;
    const { template, ...rest } = source;
    return { ...variable, source: { ...rest, template_id: template == null ? null : idOf(template) } };
  });

/** An execution environment in a file: the key of its registry has a name. */
export interface NamedEnvironment {
  readonly [field: string]: unknown;
  readonly kind: string;
  readonly registry_key?: string | null | undefined;
}

export const nameEnvironment = (
  environment: ExecutionEnvironment | null,
  nameOfKey: (id: number) => string,
): NamedEnvironment | null => {
  if (environment?.kind !== 'container') return environment;
  const { registry_key_id, ...rest } = environment;
  return { ...rest, registry_key: registry_key_id === null ? null : nameOfKey(registry_key_id) };
};

/**
 * An execution environment as a request has it.
 * @throws whatever `idOf` throws for a key that was not imported
 */
export const identifyEnvironment = (
  environment: NamedEnvironment | null,
  idOf: (name: string | null) => number | null,
): object | null => {
  if (environment?.registry_key === undefined) return environment;
  const { registry_key, ...rest } = environment;
  return { ...rest, registry_key_id: idOf(registry_key) };
};
