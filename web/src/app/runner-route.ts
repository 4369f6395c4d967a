import type { QueryClient } from '@tanstack/react-query';
import { runnerQuery } from '../api/runner-queries.ts';
import { readId } from './path-params.ts';

export const runnerParams = {
  parse: ({ runnerId }: { runnerId: string }) => ({ runnerId: readId(runnerId) }),
  stringify: ({ runnerId }: { runnerId: number }) => ({ runnerId: String(runnerId) }),
};

interface Loading {
  readonly context: { readonly client: QueryClient };
  readonly params: { readonly runnerId: number };
}

/** Loads the runner of a page. */
export const loadRunner = ({ context: { client }, params: { runnerId } }: Loading): void =>
  void client.prefetchQuery(runnerQuery(runnerId));
