import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Order } from '@signalbox/contract/link';
import { expect, it, onTestFinished } from 'vitest';
import { RunFolder } from '../runs/run-folder.ts';
import { Masker } from './masker.ts';
import { BEGINNING } from './read-position.ts';
import { sealRun } from './seal.ts';

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
  const seal = (patience?: number) => sealRun(folder, ORDER, new Masker([SECRET]), text.length, BEGINNING, patience);
  return { folder, seal, order: () => readFileSync(folder.file('order.json'), 'utf8') };
};

it('[R6] a log that is masked in time is never without both its secrets and its copy', async () => {
  const { folder, seal, order } = await endedRun(3);
  // No machine is so busy.
  await seal(60_000);
  expect(existsSync(folder.file('sealing'))).toBe(false);
  expect(readFileSync(folder.sealed.output, 'utf8')).toBe('it is ****\n'.repeat(3));
  expect(folder.isSealed()).toBe(true);
  expect(existsSync(folder.output)).toBe(false);
  expect(order()).not.toContain(SECRET);
});

it('[S5] the secrets do not wait for a log that takes longer to mask', async () => {
  const { folder, seal, order } = await endedRun(50_000);
  await seal(0);
  expect(statSync(folder.file('sealing')).mtimeMs).toBeLessThan(statSync(folder.sealed.output).mtimeMs);
  expect(folder.isSealingCut()).toBe(false);
  expect(order()).not.toContain(SECRET);
  expect(readFileSync(folder.sealed.output, 'utf8')).toBe('it is ****\n'.repeat(50_000));
});

it('[S5] the secrets do not stay where the log cannot be masked', async () => {
  const { folder, seal, order } = await endedRun(3);
  mkdirSync(folder.sealed.output);
  await expect(seal(60_000)).rejects.toThrow('EISDIR');
  expect(order()).not.toContain(SECRET);
  expect(folder.isSealingCut()).toBe(true);
});
