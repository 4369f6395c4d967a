import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { show } from '../../testing/show.tsx';
import { ExpectedEnd } from './expected-end.tsx';

const ago = (seconds: number): string => new Date(Date.now() - seconds * 1000).toISOString();

const running = (left: number, done_share: number, longer_than_usual = false) => ({
  ...{ start: ago(60), end: null, expected_end: ago(-left), done_share, longer_than_usual },
});

it('what is left of a run is shown with the part that has passed, also between two messages of the server', async () => {
  await show(
    <p>
      <ExpectedEnd task={running(60, 0.1)} before="while " />
    </p>,
  );
  expect(screen.getByText(/ left, /).closest('p')?.textContent).toMatch(
    /^while about (1 min|60 seconds|59 seconds) left, (49|50|51)%$/,
  );
});

it('the end of a run that is close, or later than usual, has no number', async () => {
  await show(
    <>
      <ExpectedEnd task={running(1, 0.9)} />
      <ExpectedEnd task={{ ...running(0, 0, true), expected_end: null, done_share: null }} />
    </>,
  );
  expect(screen.getByText('almost done')).toBeTruthy();
  expect(screen.getByText('longer than usual').className).toBe('wait');
});

it('nothing is shown of a run that has ended or has no history', async () => {
  const { container } = await show(
    <>
      <ExpectedEnd task={{ ...running(20, 0.9), end: ago(0) }} before=" · " />
      <ExpectedEnd task={{ start: ago(60), end: null, expected_end: null, done_share: null }} before=" · " />
    </>,
  );
  expect(container.textContent).not.toMatch(/left|·/);
});
