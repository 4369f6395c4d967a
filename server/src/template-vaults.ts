import { LaunchVault } from '@signalbox/contract';
import type { Selectable } from 'kysely';
import { z } from 'zod';
import type { TemplateTable } from './database/schema.ts';

const StoredVaults = z.array(LaunchVault);

export const readVaults = (stored: string): LaunchVault[] => StoredVaults.parse(JSON.parse(stored));

/** The passwords that a template names, also that of vaults without an id, as a task would name them. */
export const vaultsOfTemplate = ({
  vault_key_id,
  vaults,
}: Pick<Selectable<TemplateTable>, 'vault_key_id' | 'vaults'>): LaunchVault[] => [
  ...(vault_key_id === null ? [] : [{ name: '', vault_key_id }]),
  ...readVaults(vaults),
];
