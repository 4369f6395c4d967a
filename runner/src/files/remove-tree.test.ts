import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openUser } from '../process/process-user.ts';
import { runProgram } from '../process/program.ts';
import type { ProcessUser } from '../process/user.ts';
import { listRunFolders, RunFolder } from '../runs/folder/run-folder.ts';
import { ReleasedWorkspace, Workspace } from '../workspace/workspace.ts';

const PATH = '/usr/local/bin:/usr/bin:/bin';
const isRoot = process.getuid?.() === 0;

let folder: string;
let user: ProcessUser | undefined;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'signalbox-remove-'));
  chmodSync(folder, 0o755);
  // Modes do not restrict root, so their effect is checked as another user.
  user = isRoot ? await openUser('nobody', { PATH }) : undefined;
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/**
 * Removes a tree as a user whom modes restrict. The source is passed as text, because that user may not read its
 * folder.
 */
const removeAsUser = async (path: string) => {
  const source = readFileSync(join(import.meta.dirname, 'remove-tree.ts'), 'utf8');
  const call = `await removeTree(${JSON.stringify(path)});`;
  const args = ['--disable-warning=ExperimentalWarning', '--input-type=module-typescript', '-e', `${source}\n${call}`];
  return await runProgram(process.execPath, args, { cwd: '/', env: { PATH }, timeoutMs: 20_000, user });
};

describe('the folder of a run', () => {
  it('is removed with its read-only folders, without the targets of its links', async () => {
    const [workspace, other] = [join(folder, 'mine', 'workspace'), join(folder, 'other')];
    const locked = join(workspace, 'cache', 'deep');
    for (const path of [locked, other]) mkdirSync(path, { recursive: true });
    writeFileSync(join(locked, 'file'), '');
    writeFileSync(join(other, 'file'), '');
    symlinkSync(other, join(workspace, 'link'));
    const all = [join(folder, 'mine'), workspace, join(workspace, 'cache'), locked, join(locked, 'file'), other];
    if (user) for (const path of all) chownSync(path, user.uid, user.gid);
    for (const path of [other, locked, join(workspace, 'cache'), workspace]) chmodSync(path, 0o500);
    const end = await removeAsUser(workspace);
    expect([end.code, end.stderr]).toEqual([0, '']);
    expect(existsSync(workspace)).toBe(false);
    expect(existsSync(join(other, 'file'))).toBe(true);
    chmodSync(other, 0o700);
  });

  it('[S7] is removed below the top level only with the rights of its user, so that a link leads to no other files', async () => {
    if (!user) return expect(isRoot).toBe(false);
    const settings = { root: join(folder, 'places'), user, env: { PATH } };
    const workspace = new Workspace(settings, '1-1');
    mkdirSync(join(folder, 'own', 'galaxy'), { recursive: true });
    mkdirSync(workspace.path, { recursive: true });
    symlinkSync(join(folder, 'own'), workspace.secrets);
    await expect(new ReleasedWorkspace(workspace).remove(join(workspace.secrets, 'galaxy'))).rejects.toThrow(
      'rm failed',
    );
    expect(existsSync(join(folder, 'own', 'galaxy'))).toBe(true);
  });

  it('[R3] delays neither the runner nor the end of the run if it cannot be removed', async () => {
    const nobody = user ?? { name: 'nobody', uid: 65534, gid: 65534, home: null };
    // The program rm is not found with this PATH, so nothing can be removed.
    const settings = { root: join(folder, 'places'), user: nobody, env: { PATH: '/nowhere' } };
    const runs = join(folder, 'runs');
    const run = new RunFolder(runs, settings, 1, 1);
    for (const path of [run.path, run.workspace.path, join(settings.root, '2-1')]) mkdirSync(path, { recursive: true });
    const notes: string[] = [];
    const found = await listRunFolders(runs, settings, (message) => notes.push(message));
    expect(found.map(({ path }) => path)).toEqual([run.path]);
    expect(notes).toEqual([expect.stringContaining('2-1 cannot be removed')]);
    await expect(run.remove()).rejects.toThrow('rm failed');
    expect(existsSync(run.path)).toBe(false);
  });
});
