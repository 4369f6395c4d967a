import { z } from 'zod';
import { PemFile } from './pem-file.ts';
import { SafeUrl } from './sign-in-settings.ts';

const Addresses = z
  .string()
  .transform((value) => value.split(',').map((one) => one.trim()))
  .pipe(z.array(SafeUrl));

/** Settings of the addresses from which surveys may read choices. */
export const CHOICE_SETTINGS = {
  SIGNALBOX_CHOICE_ADDRESSES: Addresses.default([]),
  SIGNALBOX_CHOICE_CA: PemFile.optional(),
};

const Given = z.object(CHOICE_SETTINGS);

export interface ChoiceConfig {
  /** The starts of allowed addresses. */
  readonly addresses: readonly string[];
  /** Trusted CA certificates, instead of those of the system. */
  readonly ca: string | undefined;
}

export const choiceConfig = (s: z.output<typeof Given>): ChoiceConfig => ({
  addresses: s.SIGNALBOX_CHOICE_ADDRESSES,
  ca: s.SIGNALBOX_CHOICE_CA,
});
