import { expect, it } from 'vitest';
import { openKey } from '../../secrets/key-secret.ts';
import { describeEachDatabase, type MakePlace } from '../../testing/databases.ts';
import { sampleProject } from '../../testing/sample-project.ts';
import { startTestServer } from '../../testing/test-server.ts';

const SSH = { login: 'deploy', private_key: 'canary of a private key', passphrase: 'canary of a passphrase' };

const setUp = async (makePlace: MakePlace) => {
  const server = await startTestServer(await makePlace());
  const admin = await server.signIn();
  const { base } = await sampleProject(admin);
  const created = await admin.post(`${base}/keys`, { name: 'Deploy', type: 'ssh', ssh: SSH });
  const { id } = created.json<{ id: number }>();
  const { database, master } = server.storage;
  const stored = async () => {
    const row = await database.read.selectFrom('access_key').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
    return openKey(master, row);
  };
  return { admin, created, path: `${base}/keys/${id}`, base, stored };
};

describeEachDatabase('a key', (makePlace) => {
  it('[S3] is answered without its secret and without its login', async () => {
    const { admin, created, path } = await setUp(makePlace);
    expect(created.json()).toEqual({
      ...{ id: expect.any(Number), project_id: 1, name: 'Deploy', type: 'ssh', override_secret: false },
      // Clients of Semaphore UI read these fields; they are always empty.
      ssh: { login: '', passphrase: '', private_key: '' },
      login_password: { login: '', password: '' },
    });
    expect((await admin.get(path)).json()).toEqual(created.json());
  });

  it('keeps its secret through changes that do not ask for another', async () => {
    const { admin, path, stored } = await setUp(makePlace);
    const other = { ...SSH, private_key: 'another private key' };
    for (const change of [{ name: 'Renamed' }, { ssh: other }, { override_secret: false, ssh: other }, { ssh: null }]) {
      expect((await admin.put(path, change)).statusCode, JSON.stringify(change)).toBe(204);
      expect(await stored()).toEqual({ type: 'ssh', ...SSH });
    }
    expect((await admin.get(path)).json().name).toBe('Renamed');
  });

  it('takes another secret, or another type, only by override_secret', async () => {
    const { admin, path, stored } = await setUp(makePlace);
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

  it('needs what its type needs', async () => {
    const { admin, base } = await setUp(makePlace);
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
