import type { Canaries } from './canaries.ts';
import type { Recorder } from './recorder.ts';

/** Invalid requests, each with a secret in a position where a user may put one by mistake. */
export const sendMalformed = async (
  recorder: Recorder,
  canaries: Canaries,
  { address, cookie, project }: { readonly address: string; readonly cookie: string; readonly project: number },
): Promise<number[]> => {
  const statuses: number[] = [];
  let count = 0;
  const secret = () => canaries.plant(`malformed ${++count}`);
  const send = async (
    method: string,
    path: string,
    body: unknown,
    headers: Readonly<Record<string, string>> = { cookie },
  ): Promise<void> => {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    const init = { method, headers: { 'content-type': 'application/json', ...headers }, body: text };
    statuses.push((await recorder.fetch(`${address}/api${path}`, init)).status);
  };
  const base = `/project/${project}`;
  const long = () => secret() + 'x'.repeat(65_537);
  const key = { name: 'Malformed', type: 'ssh' };
  for (const ssh of [
    secret(),
    [secret()],
    { private_key: { text: secret() } },
    { private_key: [secret()], passphrase: secret() },
    { private_key: long() },
    { private_key: '', passphrase: secret(), login: secret() },
    { login: long(), private_key: secret() },
    { [secret()]: secret() },
  ])
    await send('POST', `${base}/keys`, { ...key, ssh });
  for (const body of [
    { ...key, type: secret() },
    { ...key, type: 'login_password', login_password: { login: 5, password: secret() } },
    { ...key, type: 'login_password', login_password: { password: `${secret()}\u0000` } },
    { ...key, type: 'login_password', password: secret() },
    { name: [secret()], type: 'none' },
    [secret()],
    JSON.stringify(secret()),
    `{"name": "Broken", "type": "ssh", "ssh": {"private_key": "${secret()}`,
    `{"name": "Broken", ${secret()}}`,
    secret(),
    '['.repeat(50_000) + secret(),
  ])
    await send('POST', `${base}/keys`, body);
  await send('POST', `${base}/keys`, secret(), { cookie, 'content-type': 'text/plain' });
  await send('POST', `${base}/keys`, `secret=${secret()}`, {
    cookie,
    'content-type': 'application/x-www-form-urlencoded',
  });
  for (const entry of [
    { name: 'bad name', type: 'env', secret: secret() },
    { name: 'A', type: secret(), secret: secret() },
    { name: 'A', type: 'env', secret: [secret()] },
    { name: 'A', type: 'env', secret: long() },
    { id: 999_999, secret: secret() },
    { name: 'A', type: 'env', secret: secret(), operation: secret() },
    secret(),
  ])
    await send('POST', `${base}/environment`, { name: 'Malformed', secrets: [entry] });
  for (const git_url of [`ftp://user:${secret()}@host/x`, `ext::sh -c ${secret()}`, `https://a\nb:${secret()}@host/x`])
    await send('POST', `${base}/repositories`, { name: 'Malformed', git_url, git_branch: 'main', ssh_key_id: 999_999 });
  for (const body of [
    { auth: 'admin', password: secret() },
    { auth: 'admin', password: [secret()] },
    { auth: 'admin', password: long() },
    { auth: { password: secret() } },
  ])
    await send('POST', '/auth/login', body, {});
  await send('POST', '/users', { name: 'A', username: 'a', email: 'no address', password: secret() });
  await send('POST', '/users/1/password', { password: { text: secret() } });
  await send('PUT', '/users/1', { username: '', password: secret() });
  const wrong: readonly Record<string, string>[] = [
    { authorization: `Bearer ${canaries.plant('a wrong token').replace(/[^\w]/g, '')}` },
    { authorization: `Basic ${Buffer.from(secret()).toString('base64')}` },
    { cookie: `signalbox_session=${canaries.plant('a wrong session').replace(/[^\w]/g, '')}` },
  ];
  for (const headers of wrong) statuses.push((await recorder.fetch(`${address}/api/user`, { headers })).status);
  return statuses;
};
