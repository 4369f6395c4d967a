import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { renderHook, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { describe, expect, it, onTestFinished } from 'vitest';
import { queryKey } from '../../api/keys.ts';
import { sampleTask } from '../../testing/sample.ts';
import { armColour, faviconUrl, useStatusFavicon } from './status-favicon.ts';

const statuses = (...list: ('waiting' | 'running' | 'stopping' | 'success' | 'error')[]) =>
  list.map((status) => ({ status }));

describe('the status in the icon of the browser tab', () => {
  it('has the colour of the newest active task', () => {
    expect(armColour(statuses('waiting', 'success', 'running', 'stopping'))).toBe(armColour(statuses('running')));
    expect(armColour(statuses('stopping', 'running'))).not.toBe(armColour(statuses('running')));
    expect(armColour(statuses('waiting', 'success', 'error'))).toBeUndefined();
  });

  it('changes the icon while tasks are active, and restores it afterwards', async () => {
    const icon = document.createElement('link');
    icon.rel = 'icon';
    icon.href = 'http://localhost/mark.svg';
    document.head.append(icon);
    onTestFinished(() => icon.remove());
    const client = new QueryClient({ defaultOptions: { queries: { staleTime: 60_000 } } });
    const put = (status: 'running' | 'success') =>
      client.setQueryData(queryKey.tasks(1), { pages: [[sampleTask({ status })]], pageParams: [undefined] });
    put('running');
    const wrapper = ({ children }: { children: ReactNode }) => (
      <QueryClientProvider client={client}>{children}</QueryClientProvider>
    );
    const { result } = renderHook(() => useStatusFavicon(1), { wrapper });
    expect(icon.href).toBe(faviconUrl(result.current ?? ''));
    put('success');
    await waitFor(() => expect(icon.href).toBe('http://localhost/mark.svg'));
    expect(result.current).toBeUndefined();
  });
});
