import type { StepPair, TaskCommits } from '@signalbox/contract';
import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { NO_COMPARISON, sampleTask } from '../../../testing/sample.ts';
import { show } from '../../../testing/show.tsx';
import { answerCalls, type Given } from '../../../testing/test-fetch.ts';
import { ComparedCommits } from './compared-commits.tsx';
import { SinceSuccess } from './since-success.tsx';

const task = sampleTask({ id: 9, status: 'error', commit_hash: 'b'.repeat(40) });
const other = sampleTask({ id: 4, commit_hash: 'a'.repeat(40) });

const COMMITS: TaskCommits = {
  ...{ other_id: 4, earlier: 'a'.repeat(40), later: 'b'.repeat(40), shallow: false },
  commits: [
    { hash: 'b'.repeat(40), author: 'Ann', subject: 'Lower the timeout', time: '2026-11-20T10:00:00Z', of: 'later' },
    { hash: 'c'.repeat(40), author: 'Ben', subject: 'Raise it', time: '2026-11-19T10:00:00Z', of: 'earlier' },
  ],
  commit_count: 102,
  files: [
    { path: 'a.bin', renamed_from: null, change: 'added', added: null, removed: null },
    { path: 'roles/web/tasks/main.yml', renamed_from: 'web.yml', change: 'renamed', added: 1, removed: 2 },
  ],
  file_count: 2,
};
const COUNTS = { ok: 0, changed: 0, failed: 2, ignored: 0, skipped: 0, unreachable: 0, rescued: 0 };
const STEP: StepPair = {
  ...{ play: 'All', name: 'Restart', action: 'service', path: 'roles/web/tasks/main.yml:18', earlier: null },
  later: { step: 1, line: 1, seconds: 1, counts: COUNTS },
  differs: true,
  slower: false,
};

const answer = (permissions: number, commits: Given = { status: 200, body: COMMITS }) =>
  answerCalls(({ path }) => {
    if (path.endsWith('/role')) return { status: 200, body: { role: 'manager', permissions } };
    if (path.endsWith('/commits')) return commits;
    const diff = 'diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1,2 +1 @@\n-old\n-older\n+new\n';
    return { status: 200, body: path.endsWith('/diff') ? { diff, complete: false } : [] };
  });
const open = () => show(<ComparedCommits task={task} other={other} steps={[STEP]} />);

it('files that the error message names come first, also in what is different since the last success', async () => {
  const params = { file: 'roles/web/tasks/main.yml', line: 3, column: null, detail: 'mapping values' };
  const failed = { ...task, end_reason: { code: 'playbook.invalid' as const, params, text: '' } };
  answerCalls(({ path }) => {
    if (path.endsWith('/role')) return { status: 200, body: { role: 'manager', permissions: 5 } };
    if (path.endsWith('/commits')) return { status: 200, body: COMMITS };
    return { status: 200, body: path.endsWith('/comparison') ? { ...NO_COMPARISON, other } : [] };
  });
  await show(
    <>
      <ComparedCommits task={failed} other={other} steps={[]} />
      <SinceSuccess task={failed} />
    </>,
  );
  const part = await screen.findByRole('region', { name: 'Commits' });
  await within(part).findByText('102 commits and 2 files');
  const items = within(part).getAllByRole('listitem');
  expect(items[2]?.textContent).toMatch(/^roles\/web\/tasks\/main\.yml .*In the error message $/);
  const files = within(await screen.findByRole('list', { name: 'Changed files' })).getAllByRole('listitem');
  expect(files.map(({ textContent }) => textContent)).toEqual([
    'roles/web/tasks/main.yml In the error message',
    'a.bin ',
  ]);
});

it('the commits between two tasks are listed, with the files of failed steps first', async () => {
  const calls = answer(5);
  await open();
  const part = await screen.findByRole('region', { name: 'Commits' });
  await within(part).findByText('102 commits and 2 files');
  const items = within(part)
    .getAllByRole('listitem')
    .map(({ textContent }) => textContent);
  expect(items[0]).toMatch(/^bbbbbbb Lower the timeoutAnn, /);
  expect(items[1]).toMatch(/only in #4$/);
  expect(items[2]).toBe('roles/web/tasks/main.yml +1 −2 renamed from web.yml Failed step');
  expect(items[3]).toBe('a.bin binary new ');
  expect(part.textContent).toContain('100 older commits are not listed.');
  await userEvent.setup().click(within(part).getByText('roles/web/tasks/main.yml'));
  await within(part).findByText('+new');
  expect(part.textContent).not.toContain('+++');
  expect(part.textContent).toContain('Only the first 256 KiB are shown.');
  const query = calls.find(({ path }) => path.endsWith('/diff'))?.query;
  expect(Object.fromEntries(query ?? [])).toEqual({
    with: '4',
    path: 'roles/web/tasks/main.yml',
    renamed_from: 'web.yml',
  });
});

it('the reason is shown why the commits of a repository cannot be compared', async () => {
  const params = { reason: { code: 'git.commit_missing', params: { repository: 'x', commit: 'aaaaaaa' } } };
  answer(5, {
    status: 409,
    body: { error: 'The repository has no commit aaaaaaa.', code: 'conflict.runner_answer', params },
  });
  await open();
  await screen.findByText(/aaaaaaa/);
  expect(screen.getByRole('button', { name: 'Retry' })).toBeDefined();
});

it('commits are not read for a user who may not read repositories', async () => {
  const calls = answer(1);
  await open();
  await expect.poll(() => calls.some(({ path }) => path.endsWith('/role'))).toBe(true);
  expect(screen.queryByRole('region', { name: 'Commits' })).toBeNull();
  expect(calls.some(({ path }) => path.endsWith('/commits'))).toBe(false);
});
