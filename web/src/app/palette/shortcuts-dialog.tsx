import { useTranslation } from 'react-i18next';
import { Dialog } from '../../ui/dialogs/dialog.tsx';
import { PROJECT_SCREENS, SCREEN_KEY } from '../project-screens.ts';
import css from './palette.module.css';

/** The keys are the same in every language; the descriptions are translated. */
const KEYS = [
  { keys: ['Ctrl', 'K'], does: 'palette.open' },
  { keys: ['Ctrl', 'Enter'], does: 'palette.runTemplate' },
  { keys: ['/'], does: 'shortcut.filter' },
  ...PROJECT_SCREENS.map(({ key, labelKey }) => ({ keys: [SCREEN_KEY, key], does: labelKey })),
  { keys: ['?'], does: 'shortcut.help' },
  { keys: ['Esc'], does: 'shortcut.close' },
] as const;

const LOG_KEYS = [
  { keys: ['Ctrl', 'F'], does: 'log.search' },
  { keys: ['F3'], does: 'log.nextHit' },
  { keys: ['Shift', 'F3'], does: 'log.previousHit' },
  { keys: ['Home'], does: 'shortcut.logStart' },
  { keys: ['End'], does: 'shortcut.logEnd' },
] as const;

type Row = (typeof KEYS | typeof LOG_KEYS)[number];

const Keys = ({ rows }: { rows: readonly Row[] }) => {
  const { t } = useTranslation();
  return (
    <dl className={css.keys}>
      {rows.map(({ keys, does }) => (
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
  );
};

/** The list of the console's keyboard shortcuts. */
export const ShortcutsDialog = ({ onClose }: { onClose: () => void }) => {
  const { t } = useTranslation();
  return (
    <Dialog isRead opened onClose={onClose} title={t('shortcut.title')} width={480}>
      <Keys rows={KEYS} />
      <h3 className={css.keysOf}>{t('task.tabLog')}</h3>
      <Keys rows={LOG_KEYS} />
    </Dialog>
  );
};
