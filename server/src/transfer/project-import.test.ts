import { expect, it } from 'vitest';
import { SYSTEM } from '../audit/record-event.ts';
import { decryptKeySecret } from '../secrets/key-secret.ts';
import { describeOneDatabase } from '../testing/database/databases.ts';
import { startTestServer } from '../testing/test-server.ts';
import { ProjectFile, ProjectSecrets } from './project-file.ts';
import { ProjectImport } from './project-import.ts';

describeOneDatabase('the import of a project', (makeLocation) => {
  it('leaves out the secret of a key whose private key is a public key, and reports it', async () => {
    const { storage } = await startTestServer(await makeLocation());
    const { database, master } = storage;
    const file = ProjectFile.parse({
      ...{ signalbox_project: 1, version: '0.1.0', exported: '2026-11-23T10:00:00.000Z', secrets: null },
      project: { name: 'Shop', alert: false, alert_chat: '', max_parallel_tasks: 0 },
      keys: [{ name: 'Deploy', type: 'ssh' }],
      ...{ repositories: [], inventories: [], environments: [], views: [], templates: [], schedules: [] },
    });
    const ssh = { type: 'ssh', login: 'deploy', private_key: 'ssh-rsa AAAA me@web', passphrase: '' };
    const secrets = ProjectSecrets.parse({ keys: { Deploy: ssh }, repositories: {}, environments: {} });
    const notes: string[] = [];
    const imported = { timezone: 'UTC', ownerId: 1, actor: SYSTEM, now: new Date() };
    await database.write((tx) =>
      new ProjectImport({ tx, master, ...imported, onNote: (note) => notes.push(note) }).run(file, secrets),
    );
    expect(notes).toEqual([
      'The key Deploy has no secret, because the file contains a public key instead of a private key.',
    ]);
    const row = await database.read
      .selectFrom('access_key')
      .selectAll()
      .where('name', '=', 'Deploy')
      .executeTakeFirstOrThrow();
    expect(decryptKeySecret(master, row)).toEqual({ type: 'ssh', login: '', private_key: '', passphrase: '' });
  });

  it('keeps the key of the registry of the project, and reports one without a password', async () => {
    const { storage } = await startTestServer(await makeLocation());
    const { database, master } = storage;
    const imported = { timezone: 'UTC', ownerId: 1, actor: SYSTEM, now: new Date() };
    const importWith = async (name: string, type: string) => {
      const notes: string[] = [];
      const file = ProjectFile.parse({
        ...{ signalbox_project: 1, version: '0.1.0', exported: '2026-11-23T10:00:00.000Z', secrets: null },
        project: {
          ...{ name, alert: false, alert_chat: '', max_parallel_tasks: 0 },
          execution_environment: { kind: 'container', image: 'ansible', registry_key: 'Registry' },
        },
        keys: [{ name: 'Registry', type }],
        ...{ repositories: [], inventories: [], environments: [], views: [], templates: [], schedules: [] },
      });
      const id = await database.write((tx) =>
        new ProjectImport({ tx, master, ...imported, onNote: (note) => notes.push(note) }).run(file),
      );
      const project = await database.read
        .selectFrom('project')
        .innerJoin('access_key', 'access_key.project_id', 'project.id')
        .select(['project.execution_environment', 'access_key.id as key'])
        .where('project.id', '=', id)
        .executeTakeFirstOrThrow();
      return { key: project.key, environment: JSON.parse(project.execution_environment ?? ''), notes };
    };
    const kept = await importWith('Kept', 'login_password');
    expect(kept.environment).toMatchObject({ image: 'ansible', registry_key_id: kept.key });
    const lost = await importWith('Lost', 'none');
    expect(lost.environment).toMatchObject({ image: 'ansible', registry_key_id: null });
    expect(lost.notes).toContain('The registry key Registry is left out: its key Registry must hold a password.');
  });
});
