import type { References } from '@signalbox/contract';
import { useTranslation } from 'react-i18next';
import { Button } from '../basics/button.tsx';
import { Dialog } from './dialog.tsx';
import css from './used-by.module.css';
import { countNamed, UsedByList } from './used-by-list.tsx';

export interface UsedByDialogProps {
  project: number;
  /** The kind of object that can't be deleted, as it appears in the text: "key". */
  noun: string;
  name: string;
  references: References;
  onClose: () => void;
}

/** Shows why an object can't be deleted, with links to all objects that use it. */
export const UsedByDialog = ({ project, noun, name, references, onClose }: UsedByDialogProps) => {
  const { t } = useTranslation();
  return (
    <Dialog
      opened
      onClose={onClose}
      title={t('usedBy.title', { object: noun })}
      which={name}
      width={520}
      footer={
        <>
          <span className={css.rest} />
          <Button onClick={onClose} data-autofocus>
            {t('action.close')}
          </Button>
        </>
      }
    >
      {countNamed(references) > 0 ? <p>{t('usedBy.text', { object: noun })}</p> : null}
      <UsedByList project={project} references={references} links={{ onClick: onClose }} />
    </Dialog>
  );
};
