import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, it } from 'vitest';
import { sampleTemplate, sampleVariable } from '../../../testing/sample.ts';
import { show } from '../../../testing/show.tsx';
import { answerCalls, type Given } from '../../../testing/test-fetch.ts';
import { SourcedAnswer } from './sourced-answer.tsx';
import type { AnswerValue } from './survey-values.ts';

const RELEASE = sampleVariable({
  ...{ name: 'release', title: 'Release', type: 'enum', required: true },
  source: { ...{ type: 'versions', template_id: 4 }, ...{ url: '', path: '', value_path: '', name_path: '' } },
});

const Field = ({ start, onValue }: { start: AnswerValue; onValue: (value: AnswerValue) => void }) => {
  const [value, setValue] = useState(start);
  onValue(value);
  return (
    <SourcedAnswer
      template={sampleTemplate({ id: 6 })}
      variable={RELEASE}
      path="answers.release"
      mayRun
      value={value}
      onChange={setValue}
    />
  );
};

it('the field for choices of a source offers them, shows why there are none, and keeps an answer that is none', async () => {
  const answers: Given[] = [
    { status: 409, body: { code: 'conflict.choices', params: {}, error: 'No source for Release.' } },
    { status: 200, body: [{ name: 'Latest', value: '2.14.0' }] },
  ];
  const calls = answerCalls(() => answers.shift() as Given);
  let answer: AnswerValue = '';
  await show(
    <Field
      start="1.0"
      onValue={(value) => {
        answer = value;
      }}
    />,
  );
  const user = userEvent.setup();
  expect(await screen.findByText('No source for Release.')).toBeTruthy();
  const field = screen.getByRole<HTMLInputElement>('combobox', { name: 'Release' });
  expect(field.value).toBe('1.0');
  await user.click(screen.getByRole('button', { name: 'Retry' }));
  await waitFor(() => expect(screen.queryByText('No source for Release.')).toBeNull());
  await user.click(field);
  await user.click(await screen.findByRole('option', { name: 'Latest' }));
  expect(answer).toBe('2.14.0');
  expect(calls.map(({ path }) => path)).toEqual(Array(2).fill('/api/project/1/templates/6/choices/release'));
});
