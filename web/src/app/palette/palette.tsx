import { type KeyboardEvent, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Icon } from '../../ui/basics/icon.tsx';
import { storage } from '../../ui/browser/storage.ts';
import { DialogFrame, DialogTitle } from '../../ui/dialogs/dialog.tsx';
import css from './palette.module.css';
import { findEntries, type PaletteEntry, typedTask } from './palette-entries.ts';
import { PaletteList } from './palette-list.tsx';
import { type OpenHit, useSearchEntries } from './use-search-entries.ts';

export interface PaletteProps {
  entries: readonly PaletteEntry[];
  onTask: (id: number) => void;
  /** The current project, whose objects come first. */
  project: number;
  onHit: OpenHit;
  onClose: () => void;
}

const Key = ({ name }: { name: string }) => <kbd>{name}</kbd>;

/** The command palette: runs templates, and opens pages, projects and objects of every kind by a part of their name. */
export const Palette = ({ entries, onTask, project, onHit, onClose }: PaletteProps) => {
  const { t } = useTranslation();
  const id = useId();
  const [typed, setTyped] = useState('');
  const [at, setAt] = useState(0);
  const [recent] = useState(storage.recentEntries);
  const task = typedTask(typed);
  const search = useSearchEntries(typed, project, onHit);
  const isFound = search.entries.some((entry) => entry.id === `task-${task}`);
  const local: PaletteEntry[] = [
    ...(task === undefined || isFound
      ? []
      : [
          {
            id: `task-${task}`,
            icon: 'task',
            title: `#${task}`,
            kind: t('palette.task'),
            open: () => onTask(task),
          } as const,
        ]),
    ...findEntries(entries, typed, { ids: recent, heading: t('palette.recent') }),
  ];
  const shown = new Set(local.map((entry) => entry.id));
  const found = [...local, ...search.entries.filter((entry) => !shown.has(entry.id))];
  const chosen = Math.min(at, found.length - 1);
  const choose = (entry: PaletteEntry | undefined, isRun: boolean): void => {
    const action = (isRun && entry?.run) || entry?.open;
    if (!entry || !action) return;
    if (entries.some(({ id }) => id === entry.id)) storage.addRecentEntry(entry.id);
    onClose();
    action();
  };
  const onKey = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      setAt((chosen + step + found.length) % Math.max(1, found.length));
    } else if (event.key === 'Enter') {
      event.preventDefault();
      choose(found[chosen], event.ctrlKey || event.metaKey);
    }
  };
  return (
    <DialogFrame opened onClose={onClose} width={640}>
      <DialogTitle className="sr">{t('palette.open')}</DialogTitle>
      <div className={css.head}>
        <Icon name="search" />
        <input
          className={css.input}
          role="combobox"
          aria-label={t('palette.search')}
          aria-expanded={found.length > 0}
          aria-controls={found.length > 0 ? `${id}-list` : undefined}
          aria-activedescendant={found.length > 0 ? `${id}-${chosen}` : undefined}
          placeholder={t('palette.search')}
          data-autofocus
          value={typed}
          onChange={(event) => {
            setTyped(event.currentTarget.value);
            setAt(0);
          }}
          onKeyDown={onKey}
        />
      </div>
      {found.length === 0 ? (
        <p className={css.none} role="status">
          {t(search.isSearching ? 'palette.searching' : 'list.noMatch')}
        </p>
      ) : (
        <PaletteList id={id} entries={found} chosen={chosen} onPoint={setAt} onChoose={choose} />
      )}
      {found[chosen]?.run ? (
        <p className={css.hint}>
          <Key name="Enter" /> {t('palette.opens')} <Key name="Ctrl" /> <Key name="Enter" /> {t('type.run')}
        </p>
      ) : null}
      <span className="sr" role="status">
        {search.isSearching || found.length === 0 ? '' : t('palette.found', { count: found.length })}
      </span>
    </DialogFrame>
  );
};
