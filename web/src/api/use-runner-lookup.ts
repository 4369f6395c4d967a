import { type QueryKey, type UseQueryOptions, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { errorText } from './api-error.ts';
import { branchesQuery, repositoryFilesQuery } from './queries.ts';

/** Values that a runner looks up when the user first focuses the field, and the state of the lookup. */
export interface RunnerLookup {
  values: readonly string[];
  lookup: { isBusy: boolean; failure: string | undefined; retry: () => void };
  /** Starts the lookup. */
  onFocus: () => void;
}

const useRunnerLookup = <T, K extends QueryKey>(
  query: UseQueryOptions<T, Error, T, K>,
  isPossible: boolean,
  read: (answer: T) => readonly string[],
): RunnerLookup => {
  const [isStarted, setStarted] = useState(false);
  const { data, error, isFetching, refetch } = useQuery({ ...query, enabled: isStarted && isPossible });
  return {
    values: data !== undefined && isPossible ? read(data) : [],
    lookup: {
      isBusy: isFetching,
      failure: error && isPossible ? errorText(error) : undefined,
      retry: () => void refetch(),
    },
    onFocus: () => setStarted(true),
  };
};

/** The files of a repository on its branch; undefined before a repository is chosen. */
export const useRepositoryFiles = (project: number, repository: number | undefined): RunnerLookup =>
  useRunnerLookup(repositoryFilesQuery(project, repository ?? 0), repository !== undefined, ({ files }) => files);

/** The branches of a saved repository; undefined for an unsaved one. */
export const useBranches = (project: number, repository: number | undefined): RunnerLookup =>
  useRunnerLookup(branchesQuery(project, repository ?? 0), repository !== undefined, (branches) => branches);
