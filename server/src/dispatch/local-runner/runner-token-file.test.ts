import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { hashToken } from '../../secrets/token.ts';
import { describeOneDatabase } from '../../testing/database/databases.ts';
import { startTestServer } from '../../testing/test-server.ts';

const newFile = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-token-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, 'runner.token');
};

describeOneDatabase('the token file of a runner next to the server', (makeLocation) => {
  it('is created at the first start, kept at the next, and replaced after its runner was deleted', async () => {
    const [location, file] = [await makeLocation(), newFile()];
    const start = () => startTestServer(location, { SIGNALBOX_NEW_RUNNER_TOKEN_FILE: file });
    const token = () => readFileSync(file, 'utf8').trim();
    const first = await start();
    const made = token();
    const rows = () => first.storage.database.read.selectFrom('runner').select(['name', 'token_hash']).execute();
    expect(await rows()).toEqual([{ name: 'runner', token_hash: hashToken(made) }]);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    await first.stop();
    const second = await start();
    expect(token()).toBe(made);
    const admin = await second.signIn();
    const [runner] = (await admin.get('/runners')).json<{ id: number }[]>();
    expect((await admin.del(`/runners/${runner?.id}`)).statusCode).toBe(204);
    await second.stop();
    const third = await start();
    expect(token()).not.toBe(made);
    const stored = await third.storage.database.read.selectFrom('runner').select('token_hash').execute();
    expect(stored).toEqual([{ token_hash: hashToken(token()) }]);
  });

  it('stops the start with a clear error when it cannot be written', async () => {
    const file = newFile();
    mkdirSync(file);
    const started = startTestServer(await makeLocation(), { SIGNALBOX_NEW_RUNNER_TOKEN_FILE: file });
    await expect(started).rejects.toThrow(`The file ${file} of SIGNALBOX_NEW_RUNNER_TOKEN_FILE cannot be written`);
  });
});
