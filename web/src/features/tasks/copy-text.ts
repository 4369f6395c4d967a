import { translate } from '../../lang/translate.ts';
import { showToast } from '../../ui/toast/toast-store.ts';

/** Copies a text to the clipboard and shows a toast with the result. */
export const copyText = (text: string): Promise<void> =>
  navigator.clipboard.writeText(text).then(
    () => showToast('ok', translate('task.copied')),
    () => showToast('error', translate('task.notCopied')),
  );
