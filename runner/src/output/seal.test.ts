import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Order } from '@signalbox/contract/link';
import { expect, it, onTestFinished, vi } from 'vitest';
import { RunFolder } from '../runs/run-folder.ts';
import { Masker } from './masker.ts';
import { BEGINNING } from './read-position.ts';
import { endSealing, sealOutput, sealRun, UNMASKABLE_LINE } from './seal.ts';

const SECRET = 'hunter2-correct-horse';

const ORDER = Order.parse({
  ...{ task_id: 1, epoch: 1, project_id: 1, template_name: 'Test', commit: null, playbook: 'site.yml' },
  repository: { id: 1, url: '/nowhere', branch: '', access: { type: 'none' } },
  inventory: { type: 'static', inventory: 'one', access: { type: 'none' }, become: null },
  vault_password: SECRET,
  ...{ extra_variables: {}, answers: {}, task_details: {}, process_environment: {} },
  ...{ secret_variables: {}, secret_environment: {}, max_duration: 0, arguments: [], limit: '' },
  ...{ debug: false, dry_run: false, diff: false },
});

/** The folder of an ended run that has said its secret so often. */
const endedRun = async (lines: number) => {
  const data = mkdtempSync(join(tmpdir(), 'signalbox-seal-'));
  onTestFinished(() => rmSync(data, { recursive: true, force: true }));
  const folder = new RunFolder(join(data, 'runs'), { root: join(data, 'places'), user: undefined, env: {} }, 1, 1);
  await folder.create(ORDER);
  const text = `it is ${SECRET}\n`.repeat(lines);
  writeFileSync(folder.output, text);
  writeFileSync(folder.times, `${text.length} 1000\n`);
  const masker = new Masker([SECRET]);
  const seal = (patience?: number) => sealRun(folder, ORDER, masker, text.length, BEGINNING, patience);
  /** What a process leaves that ends between the removal of the secrets and the sync of the copies. */
  const leaveUnsynced = async () => {
    await sealOutput(folder, masker, text.length, BEGINNING);
    await folder.noteCopies(BEGINNING);
    await folder.dropSecrets(ORDER);
  };
  return { folder, seal, leaveUnsynced, order: () => readFileSync(folder.file('order.json'), 'utf8') };
};

it('[R6] a log that is masked in time is never without both its secrets and its copy', async () => {
  const { folder, seal, order } = await endedRun(3);
  const dropping = vi.spyOn(folder, 'dropSecrets');
  // No machine is so busy.
  await seal(60_000);
  expect(dropping).not.toHaveBeenCalled();
  expect(readFileSync(folder.sealed.output, 'utf8')).toBe('it is ****\n'.repeat(3));
  expect(folder.isSealed()).toBe(true);
  expect(existsSync(folder.output)).toBe(false);
  expect(order()).not.toContain(SECRET);
});

it('[S5] the secrets do not wait for a log that takes longer to mask', async () => {
  const { folder, seal, order } = await endedRun(200_000);
  const sealing = seal(0);
  await vi.waitUntil(() => !order().includes(SECRET), { interval: 1, timeout: 60_000 });
  expect(folder.readCopies()).toBeUndefined();
  await sealing;
  expect(folder.isSealing()).toBe(false);
  expect(readFileSync(folder.sealed.output, 'utf8')).toBe('it is ****\n'.repeat(200_000));
});

it('[S5] the secrets do not stay where the log cannot be masked', async () => {
  const { folder, seal, order } = await endedRun(3);
  mkdirSync(folder.sealed.output);
  await expect(seal(60_000)).rejects.toThrow('EISDIR');
  expect(order()).not.toContain(SECRET);
  expect(folder.isSealing()).toBe(true);
  expect(folder.readCopies()).toBeUndefined();
});

it('[R6] copies that are written whole count for the next process, though nobody could sync them', async () => {
  const { folder, leaveUnsynced, order } = await endedRun(3);
  await leaveUnsynced();
  expect(order()).not.toContain(SECRET);
  expect(folder.isSealing()).toBe(true);
  expect(await endSealing(folder)).toEqual(BEGINNING);
  expect(readFileSync(folder.sealed.output, 'utf8')).toBe('it is ****\n'.repeat(3));
});

it('[S6] copies that a power cut has torn are not taken for the log', async () => {
  const { folder, leaveUnsynced } = await endedRun(3);
  await leaveUnsynced();
  truncateSync(folder.sealed.output, 5);
  expect((await endSealing(folder)).line).toBeGreaterThan(3);
  expect(readFileSync(folder.sealed.output, 'utf8')).toBe(`${UNMASKABLE_LINE}\n`);
});
