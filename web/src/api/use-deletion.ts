import type { References } from '@signalbox/contract';
import { type MutationKey, useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { errorText } from './api-error.ts';

interface Named {
  readonly id: number;
  readonly name: string;
}

/** State of a deletion: checking for uses, blocked by uses, or waiting for confirmation. */
export type Deletion<T> =
  | { readonly step: 'used'; readonly item: T; readonly references: References }
  | { readonly step: 'confirm'; readonly item: T };

export interface DeletionCalls<T> {
  /** Mutation key by which other parts of the page see that the deletion is in progress. */
  key?: MutationKey;
  /**
   * The objects that use it. If they can't be determined, the confirmation is shown anyway: the server refuses the
   * deletion if it must.
   */
  references?: (item: T) => Promise<References>;
  remove: (item: T) => Promise<unknown>;
  onRemoved: (item: T) => void | Promise<void>;
  /** Called with the reason when the server refuses. */
  onRefused: (text: string) => void;
}

/** Whether another object uses it. */
const isUsed = ({ used_by_hidden, ...lists }: References): boolean =>
  used_by_hidden || Object.values(lists).some((list) => list.length > 0);

/** Controls a deletion from the first click to its end. */
export const useDeletion = <T extends Named>({ key, references, remove, onRemoved, onRefused }: DeletionCalls<T>) => {
  const [deletion, setDeletion] = useState<Deletion<T>>();
  const ask = useMutation({
    mutationFn: async (item: T): Promise<Deletion<T>> => {
      const found = await references?.(item).catch(() => undefined);
      return found && isUsed(found) ? { step: 'used', item, references: found } : { step: 'confirm', item };
    },
    onSuccess: setDeletion,
  });
  const close = (): void => setDeletion(undefined);
  const confirm = useMutation({
    ...(key ? { mutationKey: key } : {}),
    mutationFn: remove,
    onSuccess: async (_, item) => {
      close();
      await onRemoved(item);
    },
    onError: (error) => {
      close();
      onRefused(errorText(error));
    },
  });
  return { deletion, ask: (item: T) => ask.mutate(item), confirm, close };
};
