import type { QueryClient } from '@tanstack/react-query';
import { systemRolesQuery } from '../api/access-queries.ts';
import { allTokensQuery, systemQuery, usersQuery } from '../api/queries.ts';
import { runnersQuery } from '../api/runner-queries.ts';

interface Loading {
  readonly context: { readonly client: QueryClient };
}

/** Loads the lists of the pages for administrators. */
export const loadUsers = ({ context: { client } }: Loading): void => void client.prefetchQuery(usersQuery());
export const loadRunners = ({ context: { client } }: Loading): void => void client.prefetchQuery(runnersQuery());
export const loadSystem = ({ context: { client } }: Loading): void => void client.prefetchQuery(systemQuery());
export const loadTokens = ({ context: { client } }: Loading): void => void client.prefetchQuery(allTokensQuery());
export const loadSystemRoles = ({ context: { client } }: Loading): void =>
  void client.prefetchQuery(systemRolesQuery());
