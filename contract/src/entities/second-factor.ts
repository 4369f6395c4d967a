import { z } from 'zod';
import { Moment, text } from '../fields.ts';
import { fieldError } from '../messages/field-errors.ts';
import { CurrentPassword } from './user.ts';

/** Whether users who sign in with a password of this server may, must or cannot have a second factor. */
export const SecondFactorMode = z.enum(['optional', 'required', 'off']);
export type SecondFactorMode = z.infer<typeof SecondFactorMode>;

/** The second factor of the caller, without its secret. */
export const SecondFactor = z.object({
  mode: SecondFactorMode.describe('Value of the setting SIGNALBOX_SECOND_FACTOR.'),
  active: z.boolean().describe('Whether signing in requires a code.'),
  since: Moment.nullable().describe('When it was turned on; null while it is off.'),
  recovery_codes_left: z.int().describe('Number of unused recovery codes.'),
});
export type SecondFactor = z.infer<typeof SecondFactor>;

/** Users type codes, so spaces and hyphens are ignored. */
const Code = text(64)
  .trim()
  .min(1, fieldError('field.required'))
  .describe('Six digits from the authenticator app, or a recovery code. Spaces and hyphens are ignored.');

export const SecondFactorBody = z.object({ code: Code });

export const NewSecondFactor = z.object({ current_password: CurrentPassword });

export const SecondFactorProof = z.object({
  current_password: CurrentPassword,
  code: Code,
});

/** The only response that contains the secret. */
export const SecondFactorSecret = z.object({
  secret: z.string().describe('The secret in base32, for typing. Only returned once; stored encrypted.'),
  uri: z.string().describe('The secret as an `otpauth:` address, which authenticator apps read as a QR code.'),
});
export type SecondFactorSecret = z.infer<typeof SecondFactorSecret>;

/** The only response that contains recovery codes. */
export const RecoveryCodes = z.object({
  recovery_codes: z.array(z.string()).describe('Each code works once. Only returned once; stored hashed.'),
});
export type RecoveryCodes = z.infer<typeof RecoveryCodes>;
