import { useTranslation } from 'react-i18next';
import { Button } from '../basics/button.tsx';
import css from '../lists/selection.module.css';
import { Dialog } from './dialog.tsx';

interface RefusedDialogProps {
  /** What an action did; undefined while there is nothing to show. */
  result:
    | { readonly done: number; readonly refused: readonly { readonly id: number; readonly reason: string }[] }
    | undefined;
  /** The name of a selected object; undefined if it is no longer listed. */
  nameOf: (id: number) => string | undefined;
  onClose: () => void;
}

/** Lists the selected objects for which an action failed, each with the reason. */
export const RefusedDialog = ({ result, nameOf, onClose }: RefusedDialogProps) => {
  const { t } = useTranslation();
  if (result === undefined) return null;
  const { done, refused } = result;
  return (
    <Dialog
      opened
      onClose={onClose}
      title={t('selection.refused', { count: refused.length })}
      which={t('selection.done', { count: done })}
      width={520}
      footer={
        <Button onClick={onClose} data-autofocus>
          {t('action.close')}
        </Button>
      }
    >
      <ul className={css.refused}>
        {refused.map(({ id, reason }) => (
          <li key={id}>
            {nameOf(id) ?? `#${id}`}
            <small>{reason}</small>
          </li>
        ))}
      </ul>
    </Dialog>
  );
};
