import { z } from 'zod';
import { Moment, text } from '../fields.ts';
import { fieldError } from '../messages/field-errors.ts';
import { CurrentPassword } from './user.ts';

/** Whether users who sign in with a password of this server may, must or cannot have a second factor. */
export const SecondFactorMode = z.enum(['optional', 'required', 'off']);
export type SecondFactorMode = z.infer<typeof SecondFactorMode>;

/** What is known of one's own second factor; never its secret. */
export const SecondFactor = z.object({
  mode: SecondFactorMode.describe('What the setting SIGNALBOX_SECOND_FACTOR says.'),
  active: z.boolean().describe('Whether signing in takes a code.'),
  since: Moment.nullable().describe('When it was turned on; null while it is not.'),
  recovery_codes_left: z.int().describe('Recovery codes that were not used yet.'),
});
export type SecondFactor = z.infer<typeof SecondFactor>;

/** Codes are typed by people: blanks and hyphens in them are looked over. */
const Code = text(64)
  .trim()
  .min(1, fieldError('field.required'))
  .describe('Six digits of the authenticator app, or a recovery code; blanks and hyphens do not matter.');

export const SecondFactorBody = z.object({ code: Code });

export const NewSecondFactor = z.object({ current_password: CurrentPassword });

export const SecondFactorProof = z.object({
  current_password: CurrentPassword,
  code: Code,
});

/** The only answer that holds the secret. */
export const SecondFactorSecret = z.object({
  secret: z.string().describe('In base32, for typing it; shown this once, it is stored encrypted.'),
  uri: z.string().describe('The same as an `otpauth:` address, which authenticator apps read as a QR code.'),
});
export type SecondFactorSecret = z.infer<typeof SecondFactorSecret>;

/** The only answer that holds recovery codes. */
export const RecoveryCodes = z.object({
  recovery_codes: z.array(z.string()).describe('Each signs in once; shown this once, they are stored hashed.'),
});
export type RecoveryCodes = z.infer<typeof RecoveryCodes>;
