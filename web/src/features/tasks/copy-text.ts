import { translate } from '../../lang/translate.ts';
import { showToast } from '../../ui/toast/toast-store.ts';

/** Copies a text to the clipboard, also one that is still loading, and shows a toast with the result. */
export const copyText = async (text: string | Promise<string>): Promise<void> =>
  Promise.resolve(text)
    .then((loaded) => navigator.clipboard.writeText(loaded))
    .then(
      () => showToast('ok', translate('task.copied')),
      () => showToast('error', translate('task.notCopied')),
    );
