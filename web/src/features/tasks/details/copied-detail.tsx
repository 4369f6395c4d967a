import { useTranslation } from 'react-i18next';
import { Button } from '../../../ui/basics/button.tsx';
import { copyText } from '../../../ui/toast/copy-text.ts';
import css from '../task.module.css';

/** Details as one text, with a button that copies it. */
export const CopiedDetail = ({ text, note }: { text: string; note: string }) => {
  const { t } = useTranslation();
  return (
    <div className={css.copiedDetail}>
      <pre>{text}</pre>
      <p className="muted">{note}</p>
      <Button small icon="copy" onClick={() => void copyText(text)}>
        {t('details.copy')}
      </Button>
    </div>
  );
};
