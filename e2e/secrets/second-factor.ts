import { generateSync } from 'otplib/functional';
import { ApiClient } from '../../tooling/product/api-client.ts';
import type { Canaries } from './canaries.ts';
import type { Recorder } from './recorder.ts';

/**
 * Creates a user with a second factor, whose secret and recovery codes are searched from then on. Answers that show them
 * once are not recorded. Then sends every call about second factors, valid and invalid.
 */
export const plantSecondFactor = async (admin: ApiClient, canaries: Canaries, recorder: Recorder): Promise<void> => {
  const { address } = admin;
  const password = canaries.plant('second factor: password');
  const person = { name: 'Guarded', username: 'guarded', email: 'guarded@example.com', password };
  await admin.call('createUser', { body: person });
  const quiet = new ApiClient(address);
  await quiet.signIn('guarded', password);
  const { secret } = await quiet.call('beginSecondFactor', { body: { current_password: password } });
  canaries.watch('second factor: secret', secret);
  const { recovery_codes } = await quiet.call('confirmSecondFactor', { body: { code: generateSync({ secret }) } });
  for (const code of recovery_codes)
    for (const form of [code, code.replaceAll('-', '')]) canaries.watch('second factor: recovery code', form);

  const held = async (): Promise<ApiClient> => {
    const answer = await recorder.fetch(`${address}/api/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ auth: 'guarded', password }),
    });
    const client = new ApiClient(address, recorder.fetch);
    client.cookie = answer.headers
      .getSetCookie()
      .map((cookie) => cookie.split(';')[0])
      .join('; ');
    return client;
  };
  const [first = '', second = ''] = recovery_codes;
  const browser = await held();
  await browser.call('enterSecondFactor', { body: { code: '000000' } }).catch(() => undefined);
  await browser.call('enterSecondFactor', { body: { code: first } });
  await browser.call('getSecondFactor');
  await (await held()).call('enterSecondFactor', { body: { code: first } }).catch(() => undefined);
  const wrong = { current_password: 'wrong', code: second };
  await browser.call('turnOffSecondFactor', { body: wrong }).catch(() => undefined);
  await browser.call('beginSecondFactor', { body: { current_password: password } }).catch(() => undefined);
  await admin.call('listUsers');
};
