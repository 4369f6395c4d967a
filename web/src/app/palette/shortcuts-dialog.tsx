import { useTranslation } from 'react-i18next';
import { Dialog } from '../../ui/dialog.tsx';
import css from './palette.module.css';

/** Keys are the same in every language; what they do is not. */
const KEYS = [
  { keys: ['Ctrl', 'K'], does: 'shortcut.palette' },
  { keys: ['/'], does: 'shortcut.filter' },
  { keys: ['g', 'h'], does: 'shortcut.history' },
  { keys: ['g', 't'], does: 'shortcut.templates' },
  { keys: ['g', 'i'], does: 'shortcut.inventory' },
  { keys: ['g', 'e'], does: 'shortcut.environment' },
  { keys: ['g', 'k'], does: 'shortcut.keys' },
  { keys: ['g', 'r'], does: 'shortcut.repositories' },
  { keys: ['g', 'm'], does: 'shortcut.team' },
  { keys: ['?'], does: 'shortcut.help' },
  { keys: ['Esc'], does: 'shortcut.close' },
] as const;

/** The shortcuts of the console. */
export const ShortcutsDialog = ({ onClose }: { onClose: () => void }) => {
  const { t } = useTranslation();
  return (
    <Dialog opened onClose={onClose} title={t('shortcut.title')} width={480}>
      <dl className={css.keys}>
        {KEYS.map(({ keys, does }) => (
          <div key={does}>
            <dt>
              {keys.map((key) => (
                <span key={key}>
                  <kbd>{key}</kbd>{' '}
                </span>
              ))}
            </dt>
            <dd>{t(does)}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
};
