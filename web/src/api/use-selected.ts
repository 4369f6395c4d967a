import type { SelectionOutcome } from '@signalbox/contract';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { errorTexts } from '../lang/error-texts.ts';
import { showToast } from '../ui/toast/toast-store.ts';
import { ApiError, errorText } from './api-error.ts';

interface Refusal {
  readonly id: number;
  readonly reason: string;
}

/** The last action on selected objects whose result has to be shown. */
export interface SelectedResult {
  readonly done: number;
  readonly refused: readonly Refusal[];
}

/**
 * Runs actions on selected objects. A toast confirms an action that succeeded for all of them; `result` holds the
 * refused ones until `close`.
 */
export const useSelected = (onDone: () => void) => {
  const [result, setResult] = useState<SelectedResult>();
  const action = useMutation({
    mutationFn: ({ run }: { run: () => Promise<SelectionOutcome>; text: (count: number) => string }) => run(),
    onError: (error) => showToast('error', errorText(error)),
    onSuccess: async ({ done, refused }, { text }) => {
      onDone();
      if (refused.length === 0) return showToast('ok', text(done.length));
      await errorTexts.load();
      const reasons = refused.map(({ id, ...answer }) => ({ id, reason: new ApiError(0, '', answer).text }));
      setResult({ done: done.length, refused: reasons });
    },
  });
  return { act: action.mutate, isBusy: action.isPending, result, close: () => setResult(undefined) };
};
