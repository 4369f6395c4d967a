import type { PublicLink } from '@signalbox/contract';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { copyText } from '../ui/toast/copy-text.ts';
import { showToast } from '../ui/toast/toast-store.ts';
import { errorText } from './api-error.ts';
import { call } from './call.ts';
import { queryKey } from './keys.ts';

interface PublicLinkCalls {
  key: readonly unknown[];
  read: (signal: AbortSignal) => Promise<PublicLink>;
  create: () => Promise<{ address: string }>;
  revoke: () => Promise<unknown>;
}

const onError = (error: Error): void => showToast('error', errorText(error));

const usePublicLink = ({ key, read, create, revoke }: PublicLinkCalls) => {
  const client = useQueryClient();
  const [address, setAddress] = useState<string>();
  const { data: link } = useQuery({ queryKey: key, queryFn: ({ signal }) => read(signal) });
  const change = useMutation({
    mutationFn: async (isCreated: boolean) => {
      if (isCreated) return (await create()).address;
      await revoke();
      return undefined;
    },
    onSuccess: async (made) => {
      setAddress(made);
      await client.invalidateQueries({ queryKey: key });
    },
    onError,
  });
  return {
    link,
    address,
    isBusy: change.isPending,
    onCreate: () => change.mutate(true),
    onRevoke: () => change.mutate(false),
    onCopy: (text: string) => void copyText(text),
  };
};

/** The public address of the feed of a project. */
export const useFeedLink = (project_id: number) => {
  const params = { project_id };
  return usePublicLink({
    key: queryKey.feedLink(project_id),
    read: (signal) => call('getFeedLink', { params, signal }),
    create: () => call('createFeedLink', { params }),
    revoke: () => call('deleteFeedLink', { params }),
  });
};

/** The public address of the badge of a template. */
export const useBadgeLink = (project_id: number, template_id: number) => {
  const params = { project_id, template_id };
  return usePublicLink({
    key: queryKey.badgeLink(project_id, template_id),
    read: (signal) => call('getBadgeLink', { params, signal }),
    create: () => call('createBadgeLink', { params }),
    revoke: () => call('deleteBadgeLink', { params }),
  });
};
