import { useTranslation } from 'react-i18next';
import { Icon } from '../../ui/basics/icon.tsx';
import { StatusLabel } from '../../ui/tasks/status-icon.tsx';
import css from './palette.module.css';
import type { PaletteEntry } from './palette-entries.ts';

interface PaletteListProps {
  /** Prefix of the ids of the elements. */
  id: string;
  entries: readonly PaletteEntry[];
  /** Position of the chosen entry. */
  chosen: number;
  onPoint: (at: number) => void;
  /** Called with whether the template is run instead of opened. */
  onChoose: (entry: PaletteEntry, isRun: boolean) => void;
}

/** Entries that follow one another and have the same heading, each with its position. */
const grouped = (entries: readonly PaletteEntry[]) => {
  const groups: { heading: string | undefined; items: { entry: PaletteEntry; at: number }[] }[] = [];
  for (const [at, entry] of entries.entries()) {
    const last = groups.at(-1);
    if (last && last.heading === entry.group) last.items.push({ entry, at });
    else groups.push({ heading: entry.group, items: [{ entry, at }] });
  }
  return groups;
};

/** The entries of the palette, in groups with headings. */
export const PaletteList = ({ id, entries, chosen, onPoint, onChoose }: PaletteListProps) => {
  const { t } = useTranslation();
  return (
    <div className={css.list} role="listbox" id={`${id}-list`} aria-label={t('palette.open')}>
      {grouped(entries).map(({ heading, items }) => (
        // biome-ignore lint/a11y/useSemanticElements: a listbox has groups, no field sets
        <div key={heading ?? ''} role="group" aria-label={heading ?? t('palette.commands')}>
          {heading === undefined ? null : (
            <div className={css.group} aria-hidden>
              {heading}
            </div>
          )}
          {items.map(({ entry, at }) => (
            <div
              key={entry.id}
              id={`${id}-${at}`}
              ref={at === chosen ? (element) => element?.scrollIntoView?.({ block: 'nearest' }) : null}
              role="option"
              tabIndex={-1}
              aria-selected={at === chosen}
              className={css.entry}
              onMouseMove={() => onPoint(at)}
              onMouseDown={(event) => {
                event.preventDefault();
                onChoose(entry, event.ctrlKey || event.metaKey);
              }}
            >
              <Icon name={entry.icon} />
              <span className="grow cut" title={entry.title}>
                {entry.title}
              </span>
              {entry.status ? <StatusLabel status={entry.status} /> : null}
              <span className={css.kind}>{entry.kind}</span>
            </div>
          ))}
        </div>
      ))}
    </div>
  );
};
