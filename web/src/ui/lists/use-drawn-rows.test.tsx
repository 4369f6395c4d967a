import { renderHook, waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { useDrawnRows } from './use-drawn-rows.ts';

describe('the rows of a long list', () => {
  it('are drawn for one screen at first, and completely soon after', async () => {
    const seen: number[] = [];
    renderHook(() => seen.push(useDrawnRows(500)));
    expect(seen[0]).toBe(40);
    await waitFor(() => expect(seen.at(-1)).toBe(500));
    expect(seen).toEqual(seen.toSorted((a, b) => a - b));
  });

  it('are drawn one screen first after a filter has hidden most of them', async () => {
    const { result, rerender } = renderHook(({ count }) => useDrawnRows(count), { initialProps: { count: 500 } });
    await waitFor(() => expect(result.current).toBe(500));
    rerender({ count: 3 });
    expect(result.current).toBe(3);
    rerender({ count: 500 });
    expect(result.current).toBe(40);
    await waitFor(() => expect(result.current).toBe(500));
  });

  it('are drawn at once if there are few, and stay drawn', () => {
    const { result, rerender } = renderHook(({ count }) => useDrawnRows(count), { initialProps: { count: 3 } });
    expect(result.current).toBe(3);
    rerender({ count: 12 });
    expect(result.current).toBe(12);
  });
});
