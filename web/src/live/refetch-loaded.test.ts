import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { waitFor } from '@testing-library/react';
import { describe, expect, it, onTestFinished } from 'vitest';
import { refetch } from './refetch.ts';
import { refetchLoaded } from './refetch-loaded.ts';

/** An active query whose responses the test provides one by one. */
const watched = (client: QueryClient, key: string) => {
  const answers: ((value: string) => void)[] = [];
  const observer = new QueryObserver(client, {
    queryKey: [key],
    queryFn: () => new Promise<string>((resolve) => answers.push(resolve)),
    staleTime: 60_000,
  });
  onTestFinished(observer.subscribe(() => undefined));
  return { answers, data: () => observer.getCurrentResult().data };
};

describe('the first refetch after the live connection is open', () => {
  it('requests the data again that was loaded before', async () => {
    const client = new QueryClient();
    const { answers, data } = watched(client, 'keys');
    answers[0]?.('before');
    await waitFor(() => expect(data()).toBe('before'));
    refetchLoaded(client);
    await waitFor(() => expect(answers).toHaveLength(2));
    answers[1]?.('after');
    await waitFor(() => expect(data()).toBe('after'));
  });

  it('shows the data of a request in progress, and requests it again', async () => {
    const client = new QueryClient();
    const { answers, data } = watched(client, 'keys');
    refetchLoaded(client);
    expect(answers).toHaveLength(1);
    answers[0]?.('before');
    await waitFor(() => expect(answers).toHaveLength(2));
    expect(data()).toBe('before');
    answers[1]?.('after');
    await waitFor(() => expect(data()).toBe('after'));
  });
});

it('a change that is reported several times during the first request repeats it once', async () => {
  const client = new QueryClient();
  const { answers, data } = watched(client, 'keys');
  for (let n = 0; n < 3; n++) void refetch(client, { queryKey: ['keys'] });
  expect(answers).toHaveLength(1);
  answers[0]?.('before');
  await waitFor(() => expect(answers).toHaveLength(2));
  answers[1]?.('after');
  await waitFor(() => expect(data()).toBe('after'));
  expect(answers).toHaveLength(2);
});
