import { useTranslation } from 'react-i18next';
import { Dialog } from '../../ui/dialog.tsx';
import css from './palette.module.css';

/** Keys are the same in every language; what they do is not. */
const KEYS = [
  { keys: ['Ctrl', 'K'], does: 'palette.open' },
  { keys: ['/'], does: 'shortcut.filter' },
  { keys: ['g', 'h'], does: 'shell.dashboard' },
  { keys: ['g', 't'], does: 'shell.templates' },
  { keys: ['g', 'i'], does: 'inventory.title' },
  { keys: ['g', 'e'], does: 'environment.title' },
  { keys: ['g', 'k'], does: 'keys.title' },
  { keys: ['g', 'r'], does: 'repositories.title' },
  { keys: ['g', 'm'], does: 'team.title' },
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
