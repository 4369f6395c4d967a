import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { MAX_LISTED_FILES } from '@signalbox/contract';
import type { Access } from '@signalbox/contract/link';
import { afterEach, describe, expect, it } from 'vitest';
import { makeRepository } from '../testing/git-repository.testing.ts';
import { startGitWebServer } from '../testing/git-web-server.testing.ts';
import { openHarness } from '../testing/playbooks.testing.ts';
import { askRunner, queryWorkspacesOf } from '../testing/query.testing.ts';
import type { RunnerHarness } from '../testing/runner-harness.testing.ts';

const NONE: Access = { type: 'none' };

let harness: RunnerHarness;
afterEach(() => harness.close());

const open = async (more: Record<string, string> = {}) => {
  harness = await openHarness();
  await harness.startRunner(more);
  await harness.server.message('hello');
};
const files = (url: string, branch: string, access: Access = NONE) =>
  askRunner(harness, { ask: 'files', repository: { id: 7, url, branch, access, project_id: 1 } });

describe('the files of a repository', () => {
  it('[S7] are the names of one branch, without links that lead out of the repository', async () => {
    await open();
    const repository = await makeRepository(join(harness.folder, 'origin'), { 'site.yml': '- hidden-content' });
    for (const [name, target] of [
      ['near.yml', 'site.yml'],
      ['passwd', '/etc/passwd'],
      ['up', '../..'],
    ] as const)
      symlinkSync(target, join(repository.path, name));
    await repository.commit({ 'plays/ünïcode name.yml': '', '-x.yml': '', 'a\nb.yml': '' });
    await repository.git('checkout', '-q', '-b', 'next');
    await repository.commit({ 'next.yml': '' });
    const url = `file://${repository.path}`;
    const main = { ask: 'files', files: ['near.yml', 'plays/ünïcode name.yml', 'site.yml'], complete: false };
    expect(await files(url, 'main')).toEqual(main);
    expect(await files(url, 'next')).toMatchObject({ files: ['near.yml', 'next.yml', ...main.files.slice(1)] });
    for (const branch of ['none', '--upload-pack=touch', 'x:refs/heads/y'])
      expect(await files(url, branch), branch).toMatchObject({ ask: 'refused', error: expect.any(String) });
    expect(JSON.stringify(harness.server.messages)).not.toContain('hidden-content');
    expect(queryWorkspacesOf(harness)).toEqual([]);
  });

  it('[S7] are also listed for a plain folder', async () => {
    await open();
    harness.write({ 'plays/web.yml': '', '.git-not/x': '' });
    mkdirSync(join(harness.repository, 'empty'));
    symlinkSync('plays', join(harness.repository, 'linked'));
    symlinkSync('/etc', join(harness.repository, 'etc'));
    symlinkSync('..', join(harness.repository, 'up'));
    expect(await files(harness.repository, '')).toEqual({
      ask: 'files',
      files: ['.git-not/x', 'linked', 'plays/web.yml', 'site.yml'],
      complete: true,
    });
  });

  it('are limited in number, depth and length of names', async () => {
    await open();
    const many = Object.fromEntries(Array.from({ length: MAX_LISTED_FILES }, (_, n) => [`aside/${n}.txt`, '']));
    const deep = `${'d/'.repeat(20)}deep.yml`;
    const long = `${`${'l'.repeat(200)}/`.repeat(3)}long.yml`;
    const repository = await makeRepository(join(harness.folder, 'origin'), {
      ...many,
      [deep]: '',
      [long]: '',
      'z.yml': '',
    });
    const answer = await files(repository.path, 'main');
    if (answer.ask !== 'files') throw new Error(JSON.stringify(answer));
    expect(answer.complete).toBe(false);
    expect(answer.files).toHaveLength(MAX_LISTED_FILES);
    expect(answer.files).toContain('z.yml');
    expect(answer.files.filter((path) => !/^(z\.yml|aside\/\d+\.txt)$/.test(path))).toEqual([]);
  });

  it('are listed over HTTPS with the login of the key, and an error contains no secret', async () => {
    harness = await openHarness();
    await makeRepository(join(harness.folder, 'web', 'plays.git'), { 'site.yml': '' });
    const login = { user: 'ann', password: 'hidden-password' };
    const web = await startGitWebServer(join(harness.folder, 'web'), login);
    try {
      await harness.startRunner({ SSL_CERT_FILE: web.authority });
      await harness.server.message('hello');
      const key = (password: string): Access => ({ type: 'login_password', login: 'ann', password });
      expect(await files(`${web.origin}/plays.git`, 'main', key('hidden-password'))).toMatchObject({
        files: ['site.yml'],
      });
      const refused = await files(`${web.origin}/plays.git`, 'main', key('hidden-wrong'));
      expect(refused).toMatchObject({ ask: 'refused', error: expect.stringContaining('does not accept the login') });
      expect(JSON.stringify(harness.server.messages)).not.toContain('hidden-');
      expect(queryWorkspacesOf(harness)).toEqual([]);
    } finally {
      await web.close();
    }
  });
});
