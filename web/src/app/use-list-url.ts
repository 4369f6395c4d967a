import { useNavigate } from '@tanstack/react-router';
import { useCallback } from 'react';

/**
 * Changes the list state in the URL. Typing replaces the history entry; a choice adds one that the Back button
 * undoes.
 */
export const useListUrl = <T extends { q?: string | undefined }>() => {
  const navigate = useNavigate();
  return useCallback(
    (change: T) =>
      void navigate({
        to: '.',
        search: (search: object) => ({ ...search, ...change }),
        replace: 'q' in change,
        resetScroll: false,
      } as never),
    [navigate],
  );
};
