import { useNavigate } from '@tanstack/react-router';
import { useCallback } from 'react';

/** Changes how a list is looked at. What is typed replaces the address; a choice can be taken back with the browser. */
export const useListAddress = <T extends { q?: string | undefined }>() => {
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
