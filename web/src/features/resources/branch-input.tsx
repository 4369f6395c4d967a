import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { errorText } from '../../api/api-error.ts';
import { branchesQuery } from '../../api/queries.ts';
import { SuggestInput, type SuggestInputProps } from '../../ui/suggest-input.tsx';

export interface BranchInputProps extends Omit<SuggestInputProps, 'suggestions' | 'looking' | 'onFocus'> {
  project: number;
  /** The repository as it is saved; undefined where the form says another one. */
  repository: number | undefined;
  /** Branches that a test of access has found. */
  known: readonly string[] | undefined;
}

/** A branch or tag, with the branches that are there: those of the saved repository, or those that a test has found. */
export const BranchInput = ({ project, repository, known, ...input }: BranchInputProps) => {
  const [isWanted, setWanted] = useState(false);
  const { data, error, isFetching, refetch } = useQuery({
    ...branchesQuery(project, repository ?? 0),
    enabled: isWanted && repository !== undefined && known === undefined,
  });
  const isAsked = repository !== undefined && known === undefined;
  return (
    <SuggestInput
      {...input}
      suggestions={known ?? (isAsked ? (data ?? []) : [])}
      looking={
        isAsked
          ? { isBusy: isFetching, failure: error ? errorText(error) : undefined, retry: () => void refetch() }
          : undefined
      }
      onFocus={() => setWanted(true)}
    />
  );
};
