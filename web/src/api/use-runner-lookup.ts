import { type QueryKey, type UseQueryOptions, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { errorText } from './api-error.ts';
import { branchesQuery, repositoryFilesQuery } from './queries.ts';

/** Something that a runner is asked for once somebody wants it, and how far that is. */
export interface Look {
  found: readonly string[];
  looking: { isBusy: boolean; failure: string | undefined; retry: () => void };
  /** Somebody wants it. */
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

/** The files of a repository at its branch; undefined for none yet. */
export const useRepositoryFiles = (project: number, repository: number | undefined): Look =>
  useLook(repositoryFilesQuery(project, repository ?? 0), repository !== undefined, ({ files }) => files);

/** The branches of a repository as it is saved; undefined for one that is not. */
export const useBranches = (project: number, repository: number | undefined): Look =>
  useLook(branchesQuery(project, repository ?? 0), repository !== undefined, (branches) => branches);
