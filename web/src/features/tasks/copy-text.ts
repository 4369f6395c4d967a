import { say } from '../../lang/say.ts';
import { snack } from '../../ui/snackbar-store.ts';

/** Copies a text and says whether that worked. */
export const copyText = (text: string): Promise<void> =>
  navigator.clipboard.writeText(text).then(
    () => snack('ok', say('task.copied')),
    () => snack('error', say('task.notCopied')),
  );
