import { say } from '../../lang/translate.ts';
import { snack } from '../../ui/toast/toast-store.ts';

/** Copies a text to the clipboard and shows a toast with the result. */
export const copyText = (text: string): Promise<void> =>
  navigator.clipboard.writeText(text).then(
    () => snack('ok', say('task.copied')),
    () => snack('error', say('task.notCopied')),
  );
