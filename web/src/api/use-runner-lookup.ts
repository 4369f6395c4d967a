import { type QueryKey, type UseQueryOptions, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { errorText } from './api-error.ts';
import { branchesQuery, repositoryFilesQuery } from './queries.ts';

/** Values that a runner looks up when the user first focuses the field, and the state of the lookup. */
export interface Look {
  found: readonly string[];
  looking: { isBusy: boolean; failure: string | undefined; retry: () => void };
  /** Starts the lookup. */
  onFocus: () => void;
}

const useLook = <T, K extends QueryKey>(
  query: UseQueryOptions<T, Error, T, K>,
  isPossible: boolean,
  read: (answer: T) => readonly string[],
): Look => {
  const [isWanted, setWanted] = useState(false);
  const { data, error, isFetching, refetch } = useQuery({ ...query, enabled: isWanted && isPossible });
  return {
    found: data !== undefined && isPossible ? read(data) : [],
    looking: {
      isBusy: isFetching,
      failure: error && isPossible ? errorText(error) : undefined,
      retry: () => void refetch(),
    },
    onFocus: () => setWanted(true),
  };
};

/** The files of a repository on its branch; undefined before a repository is chosen. */
export const useRepositoryFiles = (project: number, repository: number | undefined): Look =>
  useLook(repositoryFilesQuery(project, repository ?? 0), repository !== undefined, ({ files }) => files);

/** The branches of a saved repository; undefined for an unsaved one. */
export const useBranches = (project: number, repository: number | undefined): Look =>
  useLook(branchesQuery(project, repository ?? 0), repository !== undefined, (branches) => branches);
