import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { errorText } from '../api/api-error.ts';
import { repositoryFilesQuery } from '../api/queries.ts';
import { SuggestInput, type SuggestInputProps } from './suggest-input.tsx';

export interface RepositoryPathInputProps extends Omit<SuggestInputProps, 'suggestions' | 'looking' | 'onFocus'> {
  project: number;
  /** Where to look; undefined while that is not known. */
  repository: number | undefined;
  /** Those of its files that are meant. */
  choose: (files: readonly string[]) => readonly string[];
}

/** A path inside a repository, with the files that are there at its branch. */
export const RepositoryPathInput = ({ project, repository, choose, ...input }: RepositoryPathInputProps) => {
  const [isWanted, setWanted] = useState(false);
  const { data, error, isFetching, refetch } = useQuery({
    ...repositoryFilesQuery(project, repository ?? 0),
    enabled: isWanted && repository !== undefined,
  });
  return (
    <SuggestInput
      {...input}
      suggestions={data ? choose(data.files) : []}
      looking={{
        isBusy: isFetching,
        failure: error ? errorText(error) : undefined,
        retry: () => void refetch(),
      }}
      onFocus={() => setWanted(true)}
    />
  );
};
