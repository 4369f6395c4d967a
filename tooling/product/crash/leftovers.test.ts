import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { leftovers, processesIn } from './leftovers.ts';

const DRAFT = 'galaxy/abc.0c0ffee0-0000-4000-8000-000000000000';
const SECRET = 'canary of a key';

/** The data folder of a product, with such files of its runner. */
const dataWith = (files: Readonly<Record<string, string>>): string => {
  const data = mkdtempSync(join(tmpdir(), 'signalbox-leftovers-'));
  onTestFinished(() => rmSync(data, { recursive: true }));
  for (const [name, text] of Object.entries(files)) {
    const path = join(data, 'runner', name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
  return data;
};

it('finds nothing if only shared files remain', async () => {
  const data = dataWith({ 'mirrors/1.git/HEAD': 'ref', 'galaxy/abc/roles/x': '', token: 'x', lock: '1 2' });
  expect(await leftovers(data, [SECRET])).toEqual([]);
});

it.each([
  ['runs/1-1/output.log', 'runs/1-1 is left over'],
  ['places/1-1/checkout/x', 'places/1-1 is left over'],
  ['mirrors/1.git/refs/heads/main.lock', 'mirrors/1.git/refs/heads/main.lock is left over'],
  ['mirrors/1.git/objects/pack/tmp_pack_x', 'mirrors/1.git/objects/pack/tmp_pack_x is left over'],
  [`${DRAFT}/roles/x`, `${DRAFT}/roles/x is left over`],
])('finds %s', async (name, found) => {
  expect(await leftovers(dataWith({ [name]: '' }), [SECRET], 100)).toEqual([found]);
});

it('finds a secret in any file', async () => {
  const data = dataWith({ 'known-hosts/project-1': `a ${SECRET} b` });
  expect(await leftovers(data, [SECRET], 100)).toEqual(['known-hosts/project-1 holds a secret of a run']);
});

it('finds processes whose working directory or command line contains the folder', async () => {
  const data = dataWith({ token: 'x' });
  const inside = spawn('sleep', ['300'], { cwd: data });
  const naming = spawn(process.execPath, ['-e', 'setTimeout(() => undefined, 300_000)', data]);
  onTestFinished(() => void [inside, naming].map((child) => child.kill('SIGKILL')));
  await Promise.all([inside, naming].map((child) => once(child, 'spawn')));
  expect(processesIn(data, []).length).toBe(2);
  expect(processesIn(data, [inside.pid])).toEqual([expect.stringContaining('setTimeout')]);
});
