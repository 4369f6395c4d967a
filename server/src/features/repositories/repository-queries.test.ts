import type { QueryAnswer } from '@signalbox/contract/link';
import { expect, it } from 'vitest';
import { describeOneDatabase, type MakeLocation } from '../../testing/database/databases.ts';
import { connectRunner } from '../../testing/runners/scripted-runner.ts';
import { addMember, sampleProject } from '../../testing/sample-project.ts';
import { startTestServer } from '../../testing/test-server.ts';

const SECRET = 'hidden-secret';
const FINGERPRINT = { type: 'ED25519', bits: 256, fingerprint: 'SHA256:abc' };

const setUp = async (makeLocation: MakeLocation) => {
  const location = await makeLocation();
  const server = await startTestServer(location);
  const admin = await server.signIn();
  const sample = await sampleProject(admin);
  const foreign = await sampleProject(admin, 'Foreign');
  const runner = await connectRunner(server, location.folder);
  runner.hello();
  await runner.receives('welcome');
  /** Answers the query of the runner with the given answer. */
  const answered = async (answer: QueryAnswer) => {
    const { query, query_id } = await runner.receives('query');
    runner.send({ type: 'answer', query_id, answer });
    return query;
  };
  return { server, admin, sample, foreign, runner, answered };
};

describeOneDatabase('runner queries about repositories and keys', (makeLocation) => {
  it('list the files of a branch', async () => {
    const { admin, sample, runner, answered } = await setUp(makeLocation);
    const path = `${sample.base}/repositories/${sample.repositoryId}/files`;
    for (const [query, branch] of [
      ['', 'main'],
      ['?branch=release/1', 'release/1'],
    ] as const) {
      const asking = admin.get(`${path}${query}`);
      const asked = await answered({ ask: 'files', files: ['site.yml'], complete: false });
      expect(asked).toMatchObject({ ask: 'files', repository: { id: sample.repositoryId, branch } });
      expect((await asking).json()).toEqual({ files: ['site.yml'], complete: false });
    }
    for (const branch of ['-x', '..', 'a%20b', 'a:b']) {
      const refused = await admin.get(`${path}?branch=${branch}`);
      expect([refused.statusCode, Object.keys(refused.json().fields)], branch).toEqual([400, ['branch']]);
    }
    const refused = admin.get(path);
    await answered({ ask: 'refused', error: 'The repository cannot be reached: no.' });
    expect([(await refused).statusCode, (await refused).json().error]).toEqual([
      409,
      'The repository cannot be reached: no.',
    ]);
    const unknown = admin.get(path);
    const reason = {
      code: 'git.key_refused',
      params: { repository: 'ssh://git.example/x', host: 'git.example' },
    } as const;
    await answered({ ask: 'refused', error: 'The repository cannot be reached.', reason });
    expect((await unknown).json()).toEqual({
      error: 'git.example does not accept the key of the repository.',
      code: 'conflict.runner_answer',
      params: { reason },
    });
    expect(runner.received).toEqual([]);
  });

  it('find the playbooks of a branch, for users who may read repositories', async () => {
    const { admin, sample, foreign, runner, answered, server } = await setUp(makeLocation);
    const path = `${sample.base}/repositories/${sample.repositoryId}/playbooks`;
    const found = {
      playbooks: [{ path: 'site.yml', plays: ['Web servers'] }],
      ...{ inventories: ['hosts.ini'], requirements: ['roles/requirements.yml'], complete: true },
    };
    const asking = admin.get(path);
    const asked = await answered({ ask: 'scan', ...found });
    expect(asked).toMatchObject({ ask: 'scan', repository: { id: sample.repositoryId, branch: 'main' } });
    expect((await asking).json()).toEqual(found);
    const refused = admin.get(path);
    await answered({ ask: 'refused', error: 'The repository cannot be reached: no.' });
    expect((await refused).statusCode).toBe(409);
    // An answer to another query is no answer to this one.
    const wrong = admin.get(path);
    await answered({ ask: 'files', files: ['site.yml'], complete: true });
    expect((await wrong).statusCode).toBeGreaterThanOrEqual(400);
    expect((await wrong).body).not.toContain('site.yml');
    expect((await admin.get(`${sample.base}/repositories/${foreign.repositoryId}/playbooks`)).statusCode).toBe(404);
    const guest = await addMember(server, 'guest', { projectId: sample.projectId, role: 'guest' });
    expect((await guest.get(path)).statusCode).toBe(403);
    expect(runner.received).toEqual([]);
  });

  it('test whether a key gives access, for saved keys of the project and for values of a form', async () => {
    const { admin, sample, foreign, runner, answered, server } = await setUp(makeLocation);
    const ssh = { type: 'ssh', ssh: { login: '', private_key: SECRET, passphrase: '' } };
    const { id } = (await admin.post(`${sample.base}/keys`, { name: 'Deploy', ...ssh })).json<{ id: number }>();
    const access = { type: 'ssh', login: '', private_key: SECRET, passphrase: '' };
    const stored = { ...access, key: { id, name: 'Deploy' } };
    const { repositoryId, projectId } = sample;
    const url = (await admin.get(`${sample.base}/repositories/${repositoryId}`)).json().git_url;
    const repository = { url, branch: 'main', project_id: projectId };
    for (const [path, body, asked] of [
      [`keys/${id}/test`, {}, { access: stored, repository: null }],
      [`keys/${id}/test`, { repository_id: repositoryId }, { access: stored, repository }],
      ['keys/test', { ...ssh, repository_id: repositoryId }, { access, repository }],
      ['keys/test', { type: 'none', repository_id: repositoryId }, { access: { type: 'none' }, repository }],
    ] as const) {
      const asking = admin.post(`${sample.base}/${path}`, body);
      expect(await answered({ ask: 'access', key: FINGERPRINT, branches: ['main'] }), path).toEqual({
        ask: 'access',
        ...asked,
      });
      const test = (await asking).json();
      expect(test).toEqual({
        works: true,
        reason: '',
        reason_code: null,
        key: FINGERPRINT,
        branches: ['main'],
        took_ms: expect.any(Number),
      });
    }
    const events = await admin.get(`${sample.base}/events`);
    expect(
      events
        .json<{ description: string }[]>()
        .slice(0, 4)
        .map(({ description }) => description),
    ).toEqual([
      'A key that is not saved tested on runner scripted',
      'A key that is not saved tested on runner scripted',
      'Key Deploy tested on runner scripted',
      'Key Deploy tested on runner scripted',
    ]);
    expect(events.body).not.toContain(SECRET);
    const leases = await server.storage.database.read.selectFrom('runner_query').selectAll().execute();
    expect(JSON.stringify(leases)).not.toContain(SECRET);
    for (const [path, body, field] of [
      [`keys/${sample.keyId}/test`, {}, 'repository_id'],
      [`keys/${id}/test`, { repository_id: foreign.repositoryId }, 'repository_id'],
      ['keys/test', { type: 'login_password', login_password: { login: '', password: 'x' } }, 'repository_id'],
      ['keys/test', { type: 'ssh', ssh: { private_key: '' } }, 'ssh.private_key'],
      ['repositories/test', { git_url: url, ssh_key_id: foreign.keyId }, 'ssh_key_id'],
      ['repositories/test', { git_url: 'ext::touch x', ssh_key_id: sample.keyId }, 'git_url'],
      ['repositories/test', { git_url: '--upload-pack=x', ssh_key_id: sample.keyId }, 'git_url'],
    ] as const) {
      const refused = await admin.post(`${sample.base}/${path}`, body);
      expect([refused.statusCode, Object.keys(refused.json().fields)], path).toEqual([400, [field]]);
    }
    expect((await admin.post(`${sample.base}/keys/${foreign.keyId}/test`, {})).statusCode).toBe(404);
    expect(runner.received).toEqual([]);
  });
});
