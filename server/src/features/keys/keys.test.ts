import type { Key } from '@signalbox/contract';
import { expect, it } from 'vitest';
import { decryptKeySecret } from '../../secrets/key-secret.ts';
import { addMember, sampleProject } from '../../testing/sample-project.ts';
import { describeOneServer, type TestServer } from '../../testing/test-server.ts';

const SSH = { login: 'deploy', private_key: 'canary of a private key', passphrase: 'canary of a passphrase' };
const PUBLIC = 'AAAAC3NzaC1lZDI1NTE5AAAAIB me@web';

const setUp = async (server: TestServer) => {
  const admin = await server.signIn();
  const { base, projectId } = await sampleProject(admin);
  const created = await admin.post(`${base}/keys`, { name: 'Deploy', type: 'ssh', ssh: SSH });
  const { id } = created.json<{ id: number }>();
  const { database, master } = server.storage;
  const stored = async () => {
    const row = await database.read.selectFrom('access_key').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
    return decryptKeySecret(master, row);
  };
  return { server, admin, created, path: `${base}/keys/${id}`, base, projectId, stored };
};

describeOneServer('a key', (shared) => {
  it('[S3] is returned without its secret', async () => {
    const { admin, created, path, projectId } = await setUp(shared());
    expect(created.json()).toEqual({
      ...{ id: expect.any(Number), project_id: projectId, name: 'Deploy', type: 'ssh', override_secret: false },
      // Clients of Semaphore UI read all of these fields.
      ssh: { login: 'deploy', passphrase: '', private_key: '' },
      login_password: { login: '', password: '' },
    });
    expect((await admin.get(path)).json()).toEqual(created.json());
  });

  it('keeps its secret when a change does not replace it', async () => {
    const { admin, path, stored } = await setUp(shared());
    const other = { ...SSH, private_key: 'another private key' };
    for (const change of [{ name: 'Renamed' }, { ssh: other }, { override_secret: false, ssh: other }, { ssh: null }]) {
      expect((await admin.put(path, change)).statusCode, JSON.stringify(change)).toBe(204);
      expect(await stored()).toEqual({ type: 'ssh', ...SSH });
    }
    expect((await admin.get(path)).json().name).toBe('Renamed');
  });

  it('changes its secret or type only with override_secret', async () => {
    const { admin, path, stored } = await setUp(shared());
    const asPassword = { type: 'login_password', login_password: { login: 'me', password: 'canary of a password' } };
    for (const refused of [
      asPassword,
      { type: 'none' },
      { override_secret: true },
      { override_secret: true, ssh: { private_key: '' } },
      { override_secret: true, type: 'login_password' },
      { override_secret: true, type: 'login_password', login_password: { login: 'me' } },
    ]) {
      expect((await admin.put(path, refused)).statusCode, JSON.stringify(refused)).toBe(400);
    }
    expect(await stored()).toEqual({ type: 'ssh', ...SSH });
    expect((await admin.put(path, { override_secret: true, ssh: { private_key: 'a new one' } })).statusCode).toBe(204);
    expect(await stored()).toEqual({ type: 'ssh', login: '', private_key: 'a new one', passphrase: '' });
    expect((await admin.put(path, { ...asPassword, override_secret: true })).statusCode).toBe(204);
    expect(await stored()).toEqual({ type: 'login_password', ...asPassword.login_password });
    expect((await admin.put(path, { type: 'none', override_secret: true })).statusCode).toBe(204);
    expect(await stored()).toEqual({ type: 'none' });
  });

  it('[S3] shows its login only to members who may change keys', async () => {
    const { server, admin, base, path, projectId } = await setUp(shared());
    const login_password = { login: 'backup', password: 'canary of a password' };
    await admin.post(`${base}/keys`, { name: 'Backup', type: 'login_password', login_password });
    for (const role of ['guest', 'task_runner', 'manager', 'owner'] as const) {
      const member = await addMember(server, role, { projectId, role });
      const mayChange = role === 'manager' || role === 'owner';
      const list = await member.get(`${base}/keys?sort=login`);
      expect(list.body).not.toContain('canary');
      const logins = list
        .json<Key[]>()
        .flatMap(({ ssh, login_password: other }) => [ssh.login, other.login])
        .filter(Boolean);
      expect(logins, role).toEqual(mayChange ? ['backup', 'deploy'] : []);
      expect((await member.get(path)).json().ssh.login, role).toBe(mayChange ? 'deploy' : '');
    }
  });

  it('can change its login and keep its secret', async () => {
    const { admin, base, path, stored } = await setUp(shared());
    const key = (await admin.get(path)).json<Key>();
    for (const [change, login] of [
      [{ ssh: { login: 'root' } }, 'root'],
      [{ ...key, ssh: { ...key.ssh, login: 'admin' } }, 'admin'],
      [{ override_secret: false, ssh: { login: 'ops', private_key: 'another' } }, 'ops'],
      // Some clients always send all fields, empty.
      [{ ssh: { login: '', private_key: '', passphrase: '' }, login_password: { login: '', password: '' } }, 'ops'],
      [{ login_password: { login: 'other type' } }, 'ops'],
      [{ ssh: { login: null } }, 'ops'],
      [{ ssh: { login: '' } }, ''],
    ] as const) {
      expect((await admin.put(path, change)).statusCode, JSON.stringify(change)).toBe(204);
      expect(await stored(), JSON.stringify(change)).toEqual({ type: 'ssh', ...SSH, login });
      expect((await admin.get(path)).json().ssh.login).toBe(login);
    }
    const none = await admin.post(`${base}/keys`, { name: 'No secret', type: 'none' });
    const url = `${base}/keys/${none.json<Key>().id}`;
    expect((await admin.put(url, { ssh: { login: 'root' } })).statusCode).toBe(204);
    expect((await admin.get(url)).json()).toEqual(none.json());
    expect((await admin.put(path, { ssh: { login: 'x'.repeat(256) } })).statusCode).toBe(400);
  });

  it('stays in the list when its secret cannot be decrypted, so that the secret can be entered again', async () => {
    const { server, admin, base, path } = await setUp(shared());
    await server.storage.database.write((tx) =>
      tx.updateTable('access_key').set({ secret: 'damaged' }).where('name', '=', 'Deploy').execute(),
    );
    const list = await admin.get(`${base}/keys`);
    expect(list.statusCode).toBe(200);
    expect(list.json()).toContainEqual(
      expect.objectContaining({ name: 'Deploy', ssh: expect.objectContaining({ login: '' }) }),
    );
    const change = await admin.put(path, { ssh: { login: 'root' } });
    expect(change.statusCode, change.body).toBe(409);
    expect(change.json().error).toBe("The secret of this key can't be decrypted: enter it again with override_secret.");
    expect((await admin.put(path, { name: 'Renamed', ssh: { login: '' } })).statusCode).toBe(204);
    expect((await admin.put(path, { override_secret: true, ssh: SSH })).statusCode).toBe(204);
    expect((await admin.get(path)).json()).toMatchObject({ name: 'Renamed', ssh: { login: 'deploy' } });
  });

  it('is refused when its private key is a public key or a certificate', async () => {
    const { admin, base, path, stored } = await setUp(shared());
    for (const private_key of [
      `ssh-ed25519 ${PUBLIC}`,
      `\n  ssh-rsa ${PUBLIC}\n`,
      `ssh-dss ${PUBLIC}`,
      `ecdsa-sha2-nistp256 ${PUBLIC}`,
      `sk-ssh-ed25519@openssh.com ${PUBLIC}`,
      `sk-ecdsa-sha2-nistp256@openssh.com ${PUBLIC}`,
      `ssh-ed25519-cert-v01@openssh.com ${PUBLIC}`,
      '---- BEGIN SSH2 PUBLIC KEY ----\nAAAA\n---- END SSH2 PUBLIC KEY ----\n',
      '-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----\n',
      '-----BEGIN RSA PUBLIC KEY-----\nAAAA\n-----END RSA PUBLIC KEY-----\n',
    ]) {
      const ssh = { ...SSH, private_key };
      for (const answer of [
        await admin.post(`${base}/keys`, { name: 'k', type: 'ssh', ssh }),
        await admin.put(path, { override_secret: true, ssh }),
        await admin.post(`${base}/keys/test`, { type: 'ssh', ssh }),
      ]) {
        expect(answer.statusCode, private_key).toBe(400);
        const error = 'This is a public key: paste the private key, from the file without .pub.';
        expect(answer.json()).toMatchObject({ error, fields: { 'ssh.private_key': error } });
      }
    }
    expect(await stored()).toEqual({ type: 'ssh', ...SSH });
  });

  it('accepts a private key that names its public key', async () => {
    const { admin, path, stored } = await setUp(shared());
    const private_key = `-----BEGIN OPENSSH PRIVATE KEY-----\nb3Bl\n-----END OPENSSH PRIVATE KEY-----\nssh-rsa ${PUBLIC}\n`;
    expect((await admin.put(path, { override_secret: true, ssh: { ...SSH, private_key } })).statusCode).toBe(204);
    expect(await stored()).toEqual({ type: 'ssh', ...SSH, private_key });
  });

  it('requires the fields of its type', async () => {
    const { admin, base } = await setUp(shared());
    for (const [body, field] of [
      [{ name: 'k', type: 'ssh' }, 'ssh.private_key'],
      [{ name: 'k', type: 'login_password', login_password: { password: '' } }, 'login_password.password'],
      [{ name: 'k' }, 'type'],
      [{ type: 'none' }, 'name'],
    ] as const) {
      const answer = await admin.post(`${base}/keys`, body);
      expect(answer.statusCode).toBe(400);
      expect(answer.json().fields).toEqual({ [field]: expect.any(String) });
    }
    expect((await admin.post(`${base}/keys`, { id: 1, name: 'k', type: 'none' })).statusCode).toBe(201);
  });
});
