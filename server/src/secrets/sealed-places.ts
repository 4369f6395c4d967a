import type { StateSchema } from '../database/schema.ts';

/**
 * Every column that holds sealed values, by the word that their places begin with. Changing the key goes through these:
 * a place that is missing here cannot be sealed for.
 */
export const SEALED = {
  access_key: { table: 'access_key', column: 'secret' },
  environment_secret: { table: 'environment_secret', column: 'secret' },
  second_factor: { table: 'second_factor', column: 'secret' },
  lease_secret: { table: 'lease_secret', column: 'secret' },
  alert_receiver: { table: 'alert_receiver', column: 'secret' },
} as const satisfies Readonly<Record<string, { readonly table: keyof StateSchema; readonly column: string }>>;

/** What a browser keeps for us for some minutes: a change of the key ends it, and whoever is under way signs in anew. */
type CarriedPlace = 'sign_in_trip:0';

/** The place a secret belongs to, such as `access_key:12`. A ciphertext moved to another place does not decrypt. */
export type SecretPlace = `${keyof typeof SEALED}:${number}` | CarriedPlace;
