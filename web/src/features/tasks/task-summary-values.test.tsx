import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { sampleTask, sampleTemplate } from '../../testing/sample.ts';
import { show } from '../../testing/show.tsx';
import { answerCalls } from '../../testing/test-fetch.ts';
import { TaskSummaryValues } from './task-summary-values.tsx';

it('the values of a task name every option that it ran with', async () => {
  answerCalls(({ path }) => ({ status: 200, body: path.includes('/templates/') ? sampleTemplate() : [] }));
  const options = { limit: 'web:!web1', tags: ['a', 'b'], skip_tags: ['slow'], verbosity: 2, forks: 8, diff: true };
  const queue = { runner_tags: ['dmz', 'eu'], priority: 5 };
  await show(<TaskSummaryValues task={sampleTask({ ...options, ...queue, dry_run: true })} />);
  expect(screen.getByText('Run options').nextSibling?.textContent).toBe(
    'Limit to hosts: web:!web1; Only tags: a and b; Skip tags: slow; Verbosity: -vv; Hosts at once: 8; Runner tags: dmz and eu; Priority: +5; Dry run: Yes; Diff: Yes',
  );
});
