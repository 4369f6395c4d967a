import { existsSync, readdirSync, readFileSync, watch } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { seedOfTest } from '../../../testing/seed.ts';
import { seededRandom } from '../../../testing/seeded-random.ts';
import { LOCK } from '../database/database.ts';
import { openKey, sealKey } from '../secrets/key-secret.ts';
import { openLeaseSecret } from '../secrets/lease-secret.ts';
import { loadMasterKey, readKeyFile, readKeys, writeKeyFile } from '../secrets/master-key.ts';
import { openReceiver, sealReceiver } from '../secrets/receiver-secret.ts';
import { openSecondFactor } from '../secrets/second-factor-secret.ts';
import { openVariable, sealVariable } from '../secrets/variable-secret.ts';
import { checkVault } from '../secrets/vault.ts';
import { withOpenPlace } from '../testing/database-snapshot.ts';
import { describeOneDatabase, type Place } from '../testing/databases.ts';
import { giveFactor } from '../testing/given-factor.ts';
import { addMember, sampleProject } from '../testing/sample-project.ts';
import { type SignalboxProcess, signalbox } from '../testing/signalbox-process.ts';
import { startTestServer } from '../testing/test-server.ts';

const KEY = (byte: number): string => Buffer.alloc(32, byte).toString('base64');
/** Of each kind. */
const SECRETS = 250;
/** Keys, variables and receivers, the second factors of two users, and what the keys of leases are made from. */
const SEALED_SECRETS = 3 * SECRETS + 2 + 1;

/** A project with many keys, secret variables and receivers of alerts, and no server any more. */
const fill = async (place: Place, settings: Record<string, string> = {}): Promise<void> => {
  const server = await startTestServer(place, settings);
  const { projectId, environmentId } = await sampleProject(await server.signIn());
  const { database, master } = server.storage;
  await database.write(async (tx) => {
    for (let number = 1; number <= SECRETS; number++) {
      const facts = { name: `k${number}`, type: 'login_password', secret: '' } as const;
      const key = await tx
        .insertInto('access_key')
        .values({ project_id: projectId, ...facts })
        .returning('id')
        .executeTakeFirstOrThrow();
      const secret = sealKey(master, key.id, { type: 'login_password', login: 'x', password: `secret ${number}` });
      await tx.updateTable('access_key').set({ secret }).where('id', '=', key.id).execute();
      const variable = await tx
        .insertInto('environment_secret')
        .values({ environment_id: environmentId, name: `v${number}`, type: 'var', secret: '' })
        .returning('id')
        .executeTakeFirstOrThrow();
      const value = sealVariable(master, variable.id, `value ${number}`);
      await tx.updateTable('environment_secret').set({ secret: value }).where('id', '=', variable.id).execute();
      const receiver = await tx
        .insertInto('alert_receiver')
        .values({ project_id: projectId, name: `r${number}`, kind: 'webhook', active: 1, has_secret: 1, secret: '' })
        .returning('id')
        .executeTakeFirstOrThrow();
      const address = sealReceiver(master, receiver.id, { url: `https://example.com/${number}`, secret: 's' });
      await tx.updateTable('alert_receiver').set({ secret: address }).where('id', '=', receiver.id).execute();
    }
  }, LOCK.people);
  await addMember(server, 'jane');
  for (const username of ['admin', 'jane']) await giveFactor(server, username);
  await server.stop();
};

/** Every secret as the keys of the place open it. */
const opened = (place: Place): Promise<string[]> =>
  withOpenPlace(place, async ({ read }) => {
    const master = loadMasterKey(undefined, place.folder);
    const keys = await read.selectFrom('access_key').selectAll().where('type', '!=', 'none').orderBy('id').execute();
    const variables = await read.selectFrom('environment_secret').selectAll().orderBy('id').execute();
    const receivers = await read.selectFrom('alert_receiver').selectAll().orderBy('id').execute();
    const factors = await read.selectFrom('second_factor').selectAll().orderBy('id').execute();
    const leases = await read.selectFrom('lease_secret').selectAll().execute();
    return [
      ...leases.map((row) => openLeaseSecret(master, row.secret).toString('hex')),
      ...factors.map((row) => openSecondFactor(master, row)),
      ...receivers.map((row) => JSON.stringify(openReceiver(master, row))),
      ...keys.map((row) => JSON.stringify(openKey(master, row))),
      ...variables.map((row) => openVariable(master, row)),
    ];
  });

/** Resolves when the file of keys has two of them: from then on secrets are sealed anew. */
const twoKeys = async (place: Place): Promise<void> => {
  const has = (): boolean => (readKeyFile(place.folder)?.others.length ?? 0) > 0;
  const { promise, resolve } = Promise.withResolvers<void>();
  const watcher = watch(place.folder, () => has() && resolve());
  onTestFinished(() => watcher.close());
  if (has()) resolve();
  await promise;
  watcher.close();
};

describeOneDatabase('signalbox vault', (makePlace) => {
  it('seals everything with a new key, which a server then uses', async () => {
    const place = await makePlace();
    await fill(place);
    const before = await opened(place);
    const old = loadMasterKey(undefined, place.folder);
    const { code, output } = await signalbox(place, 'vault', 'rekey').ended;
    expect(code, output).toBe(0);
    expect(output).toContain(`Encrypted ${SEALED_SECRETS} secrets with key`);
    expect(output.includes('Copy encryption.key to the data folder of every other server')).toBe(
      place.databaseUrl !== undefined,
    );
    const now = loadMasterKey(undefined, place.folder);
    expect(now.id).not.toBe(old.id);
    expect(now.others).toEqual([]);
    expect(await opened(place)).toEqual(before);
    expect(readFileSync(join(place.folder, `encryption.key.old-${old.id}`), 'utf8')).toBe(
      `${old.bytes.toString('base64')}\n`,
    );
    const check = JSON.parse((await signalbox(place, 'vault', 'check', '--json').ended).output) as object;
    expect(check).toEqual({ key: now.id, others: [], opened: { [now.id]: SEALED_SECRETS }, broken: [] });
  });

  it('loses no secret when it is killed at any moment, and comes to its end when it is called again', async () => {
    const place = await makePlace();
    await fill(place);
    const before = await opened(place);
    const seed = seedOfTest();
    const random = seededRandom(seed);
    for (let round = 0; round < 4; round++) {
      const rekey = signalbox(place, 'vault', 'rekey');
      await Promise.race([twoKeys(place), rekey.ended]);
      await delay(random() * 120);
      rekey.child.kill('SIGKILL');
      await rekey.ended;
      expect(await opened(place), `seed ${seed}, round ${round}`).toEqual(before);
    }
    const end = await signalbox(place, 'vault', 'rekey').ended;
    expect(end.code, end.output).toBe(0);
    expect(await opened(place), `seed ${seed}`).toEqual(before);
    const master = loadMasterKey(undefined, place.folder);
    expect(master.others).toEqual([]);
    const report = await withOpenPlace(place, ({ read }) => checkVault(read, master));
    expect(report).toEqual({ opened: { [master.id]: SEALED_SECRETS }, broken: [] });
    expect(readdirSync(place.folder).filter((name) => name.includes('.part'))).toEqual([]);
  });

  it('refuses beside a server, unless the servers have both keys in their settings', async () => {
    const place = await makePlace();
    await fill(place, { SIGNALBOX_ENCRYPTION_KEY: KEY(1) });
    const both = { SIGNALBOX_ENCRYPTION_KEY: KEY(2), SIGNALBOX_OTHER_ENCRYPTION_KEYS: KEY(1) };
    const server = signalbox(place, 'server', both);
    await server.said('Signalbox is ready');
    const refused = await signalbox(place, 'vault', 'rekey', both).ended;
    expect(refused.code).toBe(1);
    expect(refused.output).toMatch(
      /^(Another server or command .* uses the data folder|A server or another command is connected).*: stop every server first, or use --beside-servers .* Nothing was changed\.\n$/,
    );
    const done = await signalbox(place, 'vault', 'rekey', '--beside-servers', both).ended;
    expect(done.code, done.output).toBe(0);
    expect(done.output).toContain(`Encrypted ${SEALED_SECRETS} secrets with key`);
    expect(done.output).toContain('Remove SIGNALBOX_OTHER_ENCRYPTION_KEYS from the settings of every server.');
    const more = await signalbox(place, 'vault', 'rekey', '--beside-servers', both).ended;
    expect(more).toMatchObject({ code: 0, output: expect.stringContaining('already encrypts all') });
    const alone = await signalbox(place, 'vault', 'check', { SIGNALBOX_ENCRYPTION_KEY: KEY(2) }).ended;
    expect(alone).toMatchObject({ code: 0, output: expect.stringContaining(`opens ${SEALED_SECRETS} secrets.`) });
    expect(existsSync(join(place.folder, 'encryption.key'))).toBe(false);
    const byFile = await signalbox(place, 'vault', 'rekey', '--beside-servers').ended;
    expect(byFile).toMatchObject({ code: 1, output: expect.stringContaining('the keys must be in the settings') });
  });

  it('refuses while a running server lacks the new key or encrypts with the old one', async () => {
    const place = await makePlace();
    await fill(place, { SIGNALBOX_ENCRYPTION_KEY: KEY(1) });
    const idOf = (byte: number): string => readKeys(KEY(byte), 'The key').id;
    const both = { SIGNALBOX_ENCRYPTION_KEY: KEY(2), SIGNALBOX_OTHER_ENCRYPTION_KEYS: KEY(1) };
    const startServer = async (settings: Record<string, string>, on = place) => {
      const server = signalbox(on, 'server', settings);
      await server.said('Signalbox is ready');
      return server;
    };
    const rekey = () => signalbox(place, 'vault', 'rekey', '--beside-servers', both).ended;
    const nameOf = ({ child }: SignalboxProcess): string => `Server ${hostname()} (process ${child.pid})`;

    const lacking = await startServer({ SIGNALBOX_ENCRYPTION_KEY: KEY(1) });
    const refused = await rekey();
    expect(refused.code).toBe(1);
    expect(refused.output).toContain(`${nameOf(lacking)} lacks key ${idOf(2)}: `);
    expect(refused.output).toMatch(/\nNothing was changed\.\n$/);
    const untouched = await signalbox(place, 'vault', 'check', { SIGNALBOX_ENCRYPTION_KEY: KEY(1) }).ended;
    expect(untouched.code, untouched.output).toBe(0);

    // What a killed server stored about its keys stays behind.
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
    if (place.databaseUrl !== undefined) {
      const other = await startServer(
        { SIGNALBOX_ENCRYPTION_KEY: KEY(1) },
        { ...(await makePlace()), databaseUrl: place.databaseUrl },
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
    const alone = await signalbox(place, 'vault', 'check', { SIGNALBOX_ENCRYPTION_KEY: KEY(2) }).ended;
    expect(alone.code, alone.output).toBe(0);
  });

  it('makes a new key also when the file contains a key that encrypts no secret', async () => {
    const place = await makePlace();
    await (await startTestServer(place)).stop();
    const old = loadMasterKey(undefined, place.folder);
    const spare = readKeys(KEY(5), 'The key');
    writeKeyFile(place.folder, [old, spare]);
    const { code, output } = await signalbox(place, 'vault', 'rekey').ended;
    expect(code, output).toBe(0);
    const now = loadMasterKey(undefined, place.folder);
    expect([old.id, spare.id]).not.toContain(now.id);
    for (const { id } of [old, spare]) expect(existsSync(join(place.folder, `encryption.key.old-${id}`))).toBe(true);
  });

  it('says what does not open, and then changes nothing', async () => {
    const place = await makePlace();
    await fill(place, { SIGNALBOX_ENCRYPTION_KEY: KEY(1) });
    const other = { SIGNALBOX_ENCRYPTION_KEY: KEY(3) };
    const check = await signalbox(place, 'vault', 'check', other).ended;
    expect(check.code).toBe(1);
    expect(check.output).toMatch(/access_key:\d+ does not open: it was sealed with key [0-9a-f]{8}\./);
    const server = signalbox(place, 'server', other);
    await server.said('Signalbox is ready');
    await server.said('Warning: stored secrets were encrypted with the key ');
    server.child.kill('SIGTERM');
    await server.ended;
    const rekey = await signalbox(place, 'vault', 'rekey', other).ended;
    expect(rekey).toMatchObject({
      code: 1,
      output: expect.stringMatching(/ cannot be decrypted, for example .* Nothing was changed\./),
    });
    const still = await signalbox(place, 'vault', 'check', { SIGNALBOX_ENCRYPTION_KEY: KEY(1) }).ended;
    expect(still.code).toBe(0);
  });
});
