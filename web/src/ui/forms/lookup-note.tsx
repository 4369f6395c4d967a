import { useTranslation } from 'react-i18next';
import css from './lookup-note.module.css';

export interface LookupNoteProps {
  text: string | undefined;
  /** Repeats a lookup that failed. */
  retry: (() => void) | undefined;
}

/** Text under the label of an input whose options are looked up: help, progress, or why there are none. */
export const LookupNote = ({ text, retry }: LookupNoteProps) => {
  const { t } = useTranslation();
  return (
    <span className={css.note} aria-live="polite">
      {text}
      {retry ? (
        <button type="button" className={css.retry} onClick={retry}>
          {t('action.retry')}
        </button>
      ) : null}
    </span>
  );
};
