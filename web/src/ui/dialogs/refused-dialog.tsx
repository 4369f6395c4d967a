import { useTranslation } from 'react-i18next';
import { Button } from '../basics/button.tsx';
import css from '../lists/selection.module.css';
import { Dialog } from './dialog.tsx';

/** A selected object for which an action failed. */
export interface Refused {
  readonly id: number;
  readonly name: string;
  readonly reason: string;
}

/** Lists the selected objects for which an action failed, each with the reason. */
export const RefusedDialog = ({
  done,
  refused,
  onClose,
}: {
  done: number;
  refused: readonly Refused[];
  onClose: () => void;
}) => {
  const { t } = useTranslation();
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
        {refused.map(({ id, name, reason }) => (
          <li key={id}>
            {name}
            <small>{reason}</small>
          </li>
        ))}
      </ul>
    </Dialog>
  );
};
