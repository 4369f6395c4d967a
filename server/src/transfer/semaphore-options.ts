import type { RunOptions } from '@signalbox/contract';
import { z } from 'zod';
import type { NamedPrompts, NamedVault } from './template-references.ts';

const flag = z.boolean().nullish();
const Texts = z.union([z.string(), z.array(z.string())]).nullish();

/** The options of a template in a backup of Semaphore UI that Signalbox has too. */
export const SemaphoreOptions = z.object({
  limit: Texts,
  tags: Texts,
  skip_tags: Texts,
  allow_override_limit: flag,
  allow_override_tags: flag,
  allow_override_skip_tags: flag,
  allow_override_inventory: flag,
  allow_debug: flag,
});

const listOf = (given: z.infer<typeof Texts>): string[] =>
  (typeof given === 'string' ? given.split(',') : (given ?? [])).map((one) => one.trim()).filter((one) => one !== '');

const freeIf = (allowed: boolean | null | undefined) => (allowed ? 'any' : 'fixed');

/** The names of the options that are kept, and so are not lost. */
export const KEPT_OPTIONS: ReadonlySet<string> = new Set(Object.keys(SemaphoreOptions.shape));

/**
 * Options and prompts of an imported template. Without `task_params`, tasks may change what they may change in a new template.
 * @param outer the tags of its runner, and options that older backups have outside of `task_params`
 */
export const importOptions = (
  task_params: unknown,
  outer: {
    readonly limit?: unknown;
    readonly tags?: unknown;
    readonly skip_tags?: unknown;
    readonly runner_tags: string[];
  },
  mayChangeBranch: boolean,
): { readonly options: Partial<RunOptions>; readonly prompts: Partial<NamedPrompts> } => {
  const inner = SemaphoreOptions.safeParse(task_params);
  const own = inner.data ?? {};
  const read = (name: 'limit' | 'tags' | 'skip_tags') => {
    const list = listOf(own[name]);
    return list.length > 0 ? list : listOf(Texts.safeParse(outer[name]).data);
  };
  return {
    options: {
      limit: read('limit').join(','),
      tags: read('tags'),
      skip_tags: read('skip_tags'),
      runner_tags: outer.runner_tags,
    },
    prompts: {
      ...(mayChangeBranch ? { git_branch: 'any' } : {}),
      ...(inner.success && Object.keys(own).length > 0
        ? {
            limit: freeIf(own.allow_override_limit),
            tags: freeIf(own.allow_override_tags),
            skip_tags: freeIf(own.allow_override_skip_tags),
            inventory: freeIf(own.allow_override_inventory),
            verbosity: freeIf(own.allow_debug),
          }
        : {}),
    },
  };
};

/** The vaults of a template: the password of vaults without an id, and those with one. Vaults of scripts are left out. */
export const importVaults = (
  vaults: readonly { readonly name?: unknown; readonly vault_key?: string | null | undefined }[],
  onScript: () => void,
): { readonly vault_key: string | null; readonly vaults: NamedVault[] } => {
  const named: NamedVault[] = [];
  let vaultKey: string | null = null;
  for (const { name, vault_key } of vaults) {
    if (!vault_key) onScript();
    else if (typeof name === 'string' && name !== '' && name !== 'default') named.push({ name, vault_key });
    else vaultKey ??= vault_key;
  }
  return { vault_key: vaultKey, vaults: named };
};
