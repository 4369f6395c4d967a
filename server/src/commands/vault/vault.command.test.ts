import { existsSync, readdirSync, readFileSync, watch } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { seedOfTest } from '../../../../testing/seed.ts';
import { seededRandom } from '../../../../testing/seeded-random.ts';
import { LOCK } from '../../database/database.ts';
import { decryptKeySecret, encryptKeySecret } from '../../secrets/key-secret.ts';
import { decryptLeaseSecret } from '../../secrets/lease-secret.ts';
import { loadMasterKey, readKeyFile, readKeys, writeKeyFile } from '../../secrets/master-key.ts';
import { decryptReceiver, encryptReceiver } from '../../secrets/receiver-secret.ts';
import { decryptSecondFactor } from '../../secrets/second-factor-secret.ts';
import { decryptVariable, encryptVariable } from '../../secrets/variable-secret.ts';
import { checkVault } from '../../secrets/vault.ts';
import { withOpenLocation } from '../../testing/database/database-snapshot.ts';
import { describeOneEmptyDatabase, type TestLocation } from '../../testing/database/databases.ts';
import { giveFactor } from '../../testing/given-factor.ts';
import { addMember, sampleProject } from '../../testing/sample-project.ts';
import { type SignalboxProcess, signalbox } from '../../testing/signalbox-process.ts';
import { startTestServer } from '../../testing/test-server.ts';

const KEY = (byte: number): string => Buffer.alloc(32, byte).toString('base64');
/** Number of secrets of each kind. */
const SECRETS = 10;
/** So many that a process can be killed while it encrypts them again. */
const MANY_SECRETS = 250;
/** Keys, variables and receivers, the second factors of two users, and the secret for the keys of runs. */
const encrypted = (secrets: number): number => 3 * secrets + 2 + 1;
const ENCRYPTED_SECRETS = encrypted(SECRETS);

/** Creates a project with keys, secret variables and alert receivers, and stops the server. */
const fill = async (
  location: TestLocation,
  settings: Record<string, string> = {},
  secrets: number = SECRETS,
): Promise<void> => {
  const server = await startTestServer(location, settings);
  const { projectId, environmentId } = await sampleProject(await server.signIn());
  const { database, master } = server.storage;
  await database.write(async (tx) => {
    for (let number = 1; number <= secrets; number++) {
      const input = { name: `k${number}`, type: 'login_password', secret: '' } as const;
      const key = await tx
        .insertInto('access_key')
        .values({ project_id: projectId, ...input })
        .returning('id')
        .executeTakeFirstOrThrow();
      const secret = encryptKeySecret(master, key.id, {
        type: 'login_password',
        login: 'x',
        password: `secret ${number}`,
      });
      await tx.updateTable('access_key').set({ secret }).where('id', '=', key.id).execute();
      const variable = await tx
        .insertInto('environment_secret')
        .values({ environment_id: environmentId, name: `v${number}`, type: 'var', secret: '' })
        .returning('id')
        .executeTakeFirstOrThrow();
      const value = encryptVariable(master, variable.id, `value ${number}`);
      await tx.updateTable('environment_secret').set({ secret: value }).where('id', '=', variable.id).execute();
      const receiver = await tx
        .insertInto('alert_receiver')
        .values({ project_id: projectId, name: `r${number}`, kind: 'webhook', active: 1, has_secret: 1, secret: '' })
        .returning('id')
        .executeTakeFirstOrThrow();
      const address = encryptReceiver(master, receiver.id, { url: `https://example.com/${number}`, secret: 's' });
      await tx.updateTable('alert_receiver').set({ secret: address }).where('id', '=', receiver.id).execute();
    }
  }, LOCK.users);
  await addMember(server, 'jane');
  for (const username of ['admin', 'jane']) await giveFactor(server, username);
  await server.stop();
};

/** Every secret, decrypted with the keys of the location. */
const opened = (location: TestLocation): Promise<string[]> =>
  withOpenLocation(location, async ({ read }) => {
    const master = loadMasterKey(undefined, location.folder);
    const keys = await read.selectFrom('access_key').selectAll().where('type', '!=', 'none').orderBy('id').execute();
    const variables = await read.selectFrom('environment_secret').selectAll().orderBy('id').execute();
    const receivers = await read.selectFrom('alert_receiver').selectAll().orderBy('id').execute();
    const factors = await read.selectFrom('second_factor').selectAll().orderBy('id').execute();
    const leases = await read.selectFrom('lease_secret').selectAll().execute();
    return [
      ...leases.map((row) => decryptLeaseSecret(master, row.secret).toString('hex')),
      ...factors.map((row) => decryptSecondFactor(master, row)),
      ...receivers.map((row) => JSON.stringify(decryptReceiver(master, row))),
      ...keys.map((row) => JSON.stringify(decryptKeySecret(master, row))),
      ...variables.map((row) => decryptVariable(master, row)),
    ];
  });

/** Resolves when the key file contains two keys. Secrets are being re-encrypted from then on. */
const twoKeys = async (location: TestLocation): Promise<void> => {
  const has = (): boolean => (readKeyFile(location.folder)?.others.length ?? 0) > 0;
  const { promise, resolve } = Promise.withResolvers<void>();
  const watcher = watch(location.folder, () => has() && resolve());
  onTestFinished(() => watcher.close());
  if (has()) resolve();
  await promise;
  watcher.close();
};

describeOneEmptyDatabase('signalbox vault', (makeLocation) => {
  it('re-encrypts everything with a new key, which a server then uses', async () => {
    const location = await makeLocation();
    await fill(location);
    const before = await opened(location);
    const old = loadMasterKey(undefined, location.folder);
    const { code, output } = await signalbox(location, 'vault', 'rekey').ended;
    expect(code, output).toBe(0);
    expect(output).toContain(`Encrypted ${ENCRYPTED_SECRETS} secrets with key`);
    expect(output.includes('Copy encryption.key to the data folder of every other server')).toBe(
      location.databaseUrl !== undefined,
    );
    const now = loadMasterKey(undefined, location.folder);
    expect(now.id).not.toBe(old.id);
    expect(now.others).toEqual([]);
    expect(await opened(location)).toEqual(before);
    expect(readFileSync(join(location.folder, `encryption.key.old-${old.id}`), 'utf8')).toBe(
      `${old.bytes.toString('base64')}\n`,
    );
    const check = JSON.parse((await signalbox(location, 'vault', 'check', '--json').ended).output) as object;
    expect(check).toEqual({ key: now.id, others: [], opened: { [now.id]: ENCRYPTED_SECRETS }, broken: [] });
  });

  it('loses no secret when it is killed at any moment, and finishes when it is run again', async () => {
    const location = await makeLocation();
    await fill(location, {}, MANY_SECRETS);
    const before = await opened(location);
    const seed = seedOfTest();
    const random = seededRandom(seed);
    for (let round = 0; round < 4; round++) {
      const rekey = signalbox(location, 'vault', 'rekey');
      await Promise.race([twoKeys(location), rekey.ended]);
      await delay(random() * 120);
      rekey.child.kill('SIGKILL');
      await rekey.ended;
      expect(await opened(location), `seed ${seed}, round ${round}`).toEqual(before);
    }
    const end = await signalbox(location, 'vault', 'rekey').ended;
    expect(end.code, end.output).toBe(0);
    expect(await opened(location), `seed ${seed}`).toEqual(before);
    const master = loadMasterKey(undefined, location.folder);
    expect(master.others).toEqual([]);
    const report = await withOpenLocation(location, ({ read }) => checkVault(read, master));
    expect(report).toEqual({ opened: { [master.id]: encrypted(MANY_SECRETS) }, broken: [] });
    expect(readdirSync(location.folder).filter((name) => name.includes('.part'))).toEqual([]);
  });

  it('refuses to run next to a server, unless the settings of all servers contain both keys', async () => {
    const location = await makeLocation();
    await fill(location, { SIGNALBOX_ENCRYPTION_KEY: KEY(1) });
    const both = { SIGNALBOX_ENCRYPTION_KEY: KEY(2), SIGNALBOX_OTHER_ENCRYPTION_KEYS: KEY(1) };
    const server = signalbox(location, 'server', both);
    await server.printed('Signalbox is ready');
    const refused = await signalbox(location, 'vault', 'rekey', both).ended;
    expect(refused.code).toBe(1);
    expect(refused.output).toMatch(
      /^(Another server or command .* uses the data folder|A server or another command is connected).*: stop every server first, or use --beside-servers .* Nothing was changed\.\n$/,
    );
    const done = await signalbox(location, 'vault', 'rekey', '--beside-servers', both).ended;
    expect(done.code, done.output).toBe(0);
    expect(done.output).toContain(`Encrypted ${ENCRYPTED_SECRETS} secrets with key`);
    expect(done.output).toContain('Remove SIGNALBOX_OTHER_ENCRYPTION_KEYS from the settings of every server.');
    const more = await signalbox(location, 'vault', 'rekey', '--beside-servers', both).ended;
    expect(more).toMatchObject({ code: 0, output: expect.stringContaining('already encrypts all') });
    const alone = await signalbox(location, 'vault', 'check', { SIGNALBOX_ENCRYPTION_KEY: KEY(2) }).ended;
    expect(alone).toMatchObject({ code: 0, output: expect.stringContaining(`decrypts ${ENCRYPTED_SECRETS} secrets.`) });
    expect(existsSync(join(location.folder, 'encryption.key'))).toBe(false);
    const byFile = await signalbox(location, 'vault', 'rekey', '--beside-servers').ended;
    expect(byFile).toMatchObject({ code: 1, output: expect.stringContaining('the keys must be in the settings') });
  });

  it('refuses to run while a server lacks the new key or encrypts with the old one', async () => {
    const location = await makeLocation();
    await fill(location, { SIGNALBOX_ENCRYPTION_KEY: KEY(1) });
    const idOf = (byte: number): string => readKeys(KEY(byte), 'The key').id;
    const both = { SIGNALBOX_ENCRYPTION_KEY: KEY(2), SIGNALBOX_OTHER_ENCRYPTION_KEYS: KEY(1) };
    const startServer = async (settings: Record<string, string>, on = location) => {
      const server = signalbox(on, 'server', settings);
      await server.printed('Signalbox is ready');
      return server;
    };
    const rekey = () => signalbox(location, 'vault', 'rekey', '--beside-servers', both).ended;
    const nameOf = ({ child }: SignalboxProcess): string => `Server ${hostname()} (process ${child.pid})`;

    const lacking = await startServer({ SIGNALBOX_ENCRYPTION_KEY: KEY(1) });
    const refused = await rekey();
    expect(refused.code).toBe(1);
    expect(refused.output).toContain(`${nameOf(lacking)} lacks key ${idOf(2)}: `);
    expect(refused.output).toMatch(/\nNothing was changed\.\n$/);
    const untouched = await signalbox(location, 'vault', 'check', { SIGNALBOX_ENCRYPTION_KEY: KEY(1) }).ended;
    expect(untouched.code, untouched.output).toBe(0);

    // A killed server leaves its row behind.
    lacking.child.kill('SIGKILL');
    await lacking.ended;
    const waiting = await startServer({
      SIGNALBOX_ENCRYPTION_KEY: KEY(1),
      SIGNALBOX_OTHER_ENCRYPTION_KEYS: KEY(2),
    });
    const again = await rekey();
    expect(again.code).toBe(1);
    expect(again.output).toContain(`${nameOf(waiting)} has key ${idOf(2)}, but still encrypts with key ${idOf(1)}: `);
    expect(again.output).not.toContain('lacks key');
    waiting.child.kill('SIGTERM');
    await waiting.ended;

    await startServer(both);
    if (location.databaseUrl !== undefined) {
      const other = await startServer(
        { SIGNALBOX_ENCRYPTION_KEY: KEY(1) },
        { ...(await makeLocation()), databaseUrl: location.databaseUrl },
      );
      const third = await rekey();
      expect(third.code).toBe(1);
      expect(third.output.split('\n')).toEqual([
        expect.stringContaining(`${nameOf(other)} lacks key ${idOf(2)}: `),
        'Nothing was changed.',
        '',
      ]);
      other.child.kill('SIGTERM');
      await other.ended;
    }
    const done = await rekey();
    expect(done.code, done.output).toBe(0);
    const alone = await signalbox(location, 'vault', 'check', { SIGNALBOX_ENCRYPTION_KEY: KEY(2) }).ended;
    expect(alone.code, alone.output).toBe(0);
  });

  it('creates a new key even if the file contains a key that encrypts no secret', async () => {
    const location = await makeLocation();
    await (await startTestServer(location)).stop();
    const old = loadMasterKey(undefined, location.folder);
    const spare = readKeys(KEY(5), 'The key');
    writeKeyFile(location.folder, [old, spare]);
    const { code, output } = await signalbox(location, 'vault', 'rekey').ended;
    expect(code, output).toBe(0);
    const now = loadMasterKey(undefined, location.folder);
    expect([old.id, spare.id]).not.toContain(now.id);
    for (const { id } of [old, spare]) expect(existsSync(join(location.folder, `encryption.key.old-${id}`))).toBe(true);
  });

  it('reports a secret that cannot be decrypted, and changes nothing', async () => {
    const location = await makeLocation();
    await fill(location, { SIGNALBOX_ENCRYPTION_KEY: KEY(1) });
    const other = { SIGNALBOX_ENCRYPTION_KEY: KEY(3) };
    const check = await signalbox(location, 'vault', 'check', other).ended;
    expect(check.code).toBe(1);
    expect(check.output).toMatch(/access_key:\d+ cannot be decrypted: it was encrypted with key [0-9a-f]{8}\./);
    const json = await signalbox(location, 'vault', 'check', '--json', other).ended;
    expect(JSON.parse(json.output)).toMatchObject({
      broken: expect.arrayContaining([
        { place: expect.stringMatching(/^access_key:\d+$/), key: readKeys(KEY(1), 'The key').id },
      ]),
    });
    const server = signalbox(location, 'server', other);
    await server.printed('Signalbox is ready');
    await server.printed('Warning: stored secrets were encrypted with the key ');
    server.child.kill('SIGTERM');
    await server.ended;
    const rekey = await signalbox(location, 'vault', 'rekey', other).ended;
    expect(rekey).toMatchObject({
      code: 1,
      output: expect.stringMatching(/ cannot be decrypted, for example .* Nothing was changed\./),
    });
    const still = await signalbox(location, 'vault', 'check', { SIGNALBOX_ENCRYPTION_KEY: KEY(1) }).ended;
    expect(still.code).toBe(0);
  });
});
