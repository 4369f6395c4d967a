import { translate } from '../../lang/translate.ts';
import { showToast } from './toast-store.ts';

/** Safari writes to the clipboard only within a click, so a text that is still loading is given as a promise. */
const write = (text: string | Promise<string>): Promise<void> =>
  typeof text === 'string' || typeof ClipboardItem === 'undefined'
    ? Promise.resolve(text).then((loaded) => navigator.clipboard.writeText(loaded))
    : navigator.clipboard.write([
        new ClipboardItem({ 'text/plain': text.then((loaded) => new Blob([loaded], { type: 'text/plain' })) }),
      ]);

/**
 * Copies a text to the clipboard, also one that is still loading, and shows a toast with the result.
 * @param done the text of the toast
 */
export const copyText = (text: string | Promise<string>, done = translate('task.copied')): Promise<void> =>
  write(text).then(
    () => showToast('ok', done),
    () => showToast('error', translate('task.notCopied')),
  );
