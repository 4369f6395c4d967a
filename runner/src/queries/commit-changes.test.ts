import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { MAX_CHANGED_FILES, MAX_DIFF_BYTES, MAX_LISTED_COMMITS } from '@signalbox/contract';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeRepository } from '../testing/git-repository.testing.ts';
import { openHarness } from '../testing/playbooks.testing.ts';
import { askRunner, queryWorkspacesOf } from '../testing/query.testing.ts';
import type { RunnerHarness } from '../testing/runner-harness.testing.ts';

let harness: RunnerHarness;
let repository: Awaited<ReturnType<typeof makeRepository>>;
beforeEach(async () => {
  harness = await openHarness();
  await harness.startRunner({});
  await harness.server.message('hello');
  repository = await makeRepository(join(harness.folder, 'origin'), {
    'site.yml': 'a\nb\n',
    'old.yml': '1\n2\n3\n4\n',
  });
});
afterEach(() => harness.close());

const source = (url: string) => ({ id: 7, url, branch: 'main', access: { type: 'none' as const }, project_id: 1 });
const changes = async (earlier: string, later: string, url = `file://${repository.path}`) => {
  const answer = await askRunner(harness, { ask: 'commit_changes', repository: source(url), earlier, later });
  if (answer.ask !== 'commit_changes') throw new Error(JSON.stringify(answer));
  return answer;
};
const diff = async (earlier: string, later: string, ...paths: string[]) => {
  const repo = source(`file://${repository.path}`);
  const answer = await askRunner(harness, { ask: 'repository_diff', repository: repo, earlier, later, paths });
  if (answer.ask !== 'repository_diff') throw new Error(JSON.stringify(answer));
  return answer;
};
const head = () => repository.git('rev-parse', 'HEAD');

describe('what a repository has between two commits', () => {
  it('are the commits that only one of them includes, and the files with their lines', async () => {
    const first = await head();
    await repository.git('mv', 'old.yml', 'new.yml');
    await repository.git('rm', '-q', 'site.yml');
    const later = await repository.commit({ 'roles/a b/ü.yml': 'x\n', 'binary.bin': 'a\0b' }, 'Move\tthe playbook');
    expect(await changes(first, later)).toEqual({
      ask: 'commit_changes',
      commits: [{ hash: later, author: 't', subject: 'Move the playbook', time: expect.any(String), of: 'later' }],
      commit_count: 1,
      files: [
        { path: 'binary.bin', renamed_from: null, change: 'added', added: null, removed: null },
        { path: 'new.yml', renamed_from: 'old.yml', change: 'renamed', added: 0, removed: 0 },
        { path: 'roles/a b/ü.yml', renamed_from: null, change: 'added', added: 1, removed: 0 },
        { path: 'site.yml', renamed_from: null, change: 'deleted', added: 0, removed: 2 },
      ],
      file_count: 4,
      shallow: false,
    });
    // A task that runs an older commit lacks the later commits.
    expect((await changes(later, first)).commits).toMatchObject([{ hash: later, of: 'earlier' }]);
    expect(queryWorkspacesOf(harness)).toEqual([]);
  });

  it('include commits whose author and time are not what they should be', async () => {
    const first = await head();
    const tree = await repository.git('rev-parse', 'HEAD^{tree}');
    const raw = `tree ${tree}\nparent ${first}\nauthor a\x1fb <t@e> 1 +0000\ncommitter t <t@e> 99999999999999 +0000\n\nOne\x1ftwo\n`;
    const file = join(harness.folder, 'commit');
    writeFileSync(file, raw);
    const later = await repository.git('hash-object', '-t', 'commit', '-w', '--literally', file);
    await repository.git('update-ref', 'refs/heads/odd', later);
    const { commits } = await changes(first, later);
    expect(commits).toMatchObject([{ hash: later, of: 'later', time: '1970-01-01T00:00:00.000Z' }]);
  });

  it('are limited, but counted completely', async () => {
    const first = await head();
    const files = Array.from({ length: MAX_CHANGED_FILES + 1 }, (_, number) => [`f/${number}`, 'x\n']);
    await repository.commit(Object.fromEntries(files));
    await repository.git('update-ref', 'refs/heads/many', 'HEAD');
    const tree = await repository.git('rev-parse', 'HEAD^{tree}');
    let later = await head();
    for (let number = 0; number < MAX_LISTED_COMMITS; number += 1)
      later = await repository.git('commit-tree', tree, '-p', later, '-m', 'Next');
    await repository.git('update-ref', 'refs/heads/many', later);
    const found = await changes(first, later);
    expect([found.commits.length, found.commit_count]).toEqual([MAX_LISTED_COMMITS, MAX_LISTED_COMMITS + 1]);
    expect([found.files.length, found.file_count]).toEqual([MAX_CHANGED_FILES, MAX_CHANGED_FILES + 1]);
  });

  it('cannot be read if a commit was removed from the repository, or the repository is a plain folder', async () => {
    const first = await head();
    const missing = {
      ask: 'commit_changes',
      repository: source(repository.path),
      earlier: 'a'.repeat(40),
      later: first,
    };
    const reason = { code: 'git.commit_missing', params: { commit: 'a'.repeat(40) } };
    expect(await askRunner(harness, missing as never)).toMatchObject({ ask: 'refused', reason });
    const folder = { ...missing, repository: source(harness.repository) };
    expect(await askRunner(harness, folder as never)).toMatchObject({ reason: { code: 'git.plain_folder' } });
  });

  it('are marked as incomplete if the repository has only a part of its history', async () => {
    const first = await head();
    await repository.commit({ 'site.yml': '1' });
    const later = await repository.commit({ 'site.yml': '2' });
    const clone = join(harness.folder, 'shallow');
    await repository.git('clone', '-q', '--depth', '2', `file://${repository.path}`, clone);
    const middle = await repository.git('rev-parse', 'HEAD~1');
    expect(await changes(middle, later, `file://${clone}`)).toMatchObject({ shallow: true, commit_count: 1 });
    await expect(changes(first, later, `file://${clone}`)).rejects.toThrow('git.commit_missing');
  });
});

describe('the differences between two commits', () => {
  it('are those of all files, or of one file and its earlier path', async () => {
    const first = await head();
    await repository.git('mv', 'old.yml', 'new.yml');
    const later = await repository.commit({ 'site.yml': 'a\nc\n', 'new.yml': '1\n2\n3\n5\n' });
    const all = await diff(first, later);
    expect(all.complete).toBe(true);
    expect(all.diff).toContain('-b\n+c\n');
    expect(all.diff).toContain('rename from old.yml');
    const one = await diff(first, later, 'new.yml', 'old.yml');
    expect(one.diff).toContain('-4\n+5\n');
    expect(one.diff).not.toContain('site.yml');
  });

  it('[S7] treat paths as names', async () => {
    const first = await head();
    const later = await repository.commit({
      'site.yml': 'c\n',
      '*.yml': 'star\n',
      '--output=x': 'option\n',
    });
    expect((await diff(first, later, '*.yml')).diff).not.toContain('+c');
    expect((await diff(first, later, '--output=x')).diff).toContain('+option');
    expect((await diff(first, later, ':(top)site.yml')).diff).toBe('');
    await expect(diff(first, later, '../../../etc/passwd')).rejects.toThrow('refused');
  });

  it('are complete up to their limit in bytes, also in an encoding that becomes longer when it is decoded', async () => {
    const first = await head();
    const later = await repository.commit({ 'site.yml': Buffer.from(`${'ü'.repeat(99)}\n`.repeat(2000), 'latin1') });
    const { diff: text, complete } = await diff(first, later, 'site.yml');
    expect(complete).toBe(true);
    expect(text.endsWith('\ufffd\n')).toBe(true);
  });

  it('end at a whole line if they are too long', async () => {
    const first = await head();
    const later = await repository.commit({ 'site.yml': `${'ü'.repeat(99)}\n`.repeat(MAX_DIFF_BYTES / 100) });
    const { diff: text, complete } = await diff(first, later, 'site.yml');
    expect(complete).toBe(false);
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(MAX_DIFF_BYTES);
    expect(text.endsWith('ü\n')).toBe(true);
  });
});
