import type { Project, TaskStatus, Template } from '@signalbox/contract';
import type { IconName } from '../../ui/basics/icon.tsx';

/** An entry of the palette: its title and the action of choosing it. */
export interface PaletteEntry {
  readonly id: string;
  readonly icon: IconName;
  readonly title: string;
  /** The kind of entry, shown in grey after the title. */
  readonly kind: string;
  /** Heading of the entries of this group; undefined for the first entries, which have none. */
  readonly group?: string;
  /** Opens the object or the page. */
  readonly open: () => void;
  /** Status of the last task of a template. */
  readonly status?: TaskStatus | undefined;
  /** Runs a template; undefined for other entries and without the permission. */
  readonly run?: (() => void) | undefined;
}

const MAX_ENTRIES = 12;
const MAX_RECENT = 5;

/**
 * How well a text matches the typed text; undefined if it does not match. Matches at the start of a part score higher.
 */
export const scoreOf = (text: string, typed: string): number | undefined => {
  const low = text.toLocaleLowerCase();
  let score = 0;
  for (const term of typed.toLocaleLowerCase().split(/\s+/).filter(Boolean)) {
    const at = low.indexOf(term);
    if (at < 0) return undefined;
    score += at === 0 ? 3 : /[\s\-_./]/.test(low[at - 1] ?? '') ? 2 : 1;
  }
  return score;
};

/** Entries that were chosen before, and what decides their order. */
export interface Recent {
  /** Ids, the newest first. */
  readonly ids: readonly string[];
  /** Heading of these entries while no text is typed. */
  readonly heading: string;
}

const withRecentFirst = (entries: readonly PaletteEntry[], { ids, heading }: Recent): PaletteEntry[] => {
  const known = new Map(entries.map((entry) => [entry.id, entry]));
  const recent = ids.flatMap((id) => known.get(id) ?? []).slice(0, MAX_RECENT);
  const others = entries.filter((entry) => !recent.includes(entry));
  return [...recent.map((entry) => ({ ...entry, group: heading })), ...others].slice(0, MAX_ENTRIES);
};

/** The entries that match the typed text, best first. Without text: recent entries, then the others in their order. */
export const findEntries = (
  entries: readonly PaletteEntry[],
  typed: string,
  recent: Recent = { ids: [], heading: '' },
): PaletteEntry[] => {
  if (typed.trim() === '') return withRecentFirst(entries, recent);
  const found = entries.flatMap((entry) => {
    const score = scoreOf(`${entry.title} ${entry.kind}`, typed);
    // Of equally good matches, one that was chosen before is the first.
    return score === undefined ? [] : [{ entry, score: score + (recent.ids.includes(entry.id) ? 0.5 : 0) }];
  });
  return found
    .toSorted((a, b) => b.score - a.score)
    .slice(0, MAX_ENTRIES)
    .map(({ entry }) => entry);
};

/** The typed task number, with or without `#`. */
export const typedTask = (typed: string): number | undefined => {
  const number = /^#?(\d{1,10})$/.exec(typed.trim())?.[1];
  return number === undefined ? undefined : Number(number);
};

export interface EntryTexts {
  readonly template: string;
  readonly project: string;
}

export interface EntryActions {
  runTemplate: (id: number) => void;
  openTemplate: (id: number) => void;
  openProject: (id: number) => void;
}

export interface EntryData {
  readonly templates: readonly Template[];
  readonly projects: readonly Project[];
  readonly mayRun: (templateId: number) => boolean;
}

/** Entries for the objects of the project and for the other projects. */
export const dataEntries = (
  { templates, projects, mayRun }: EntryData,
  texts: EntryTexts,
  actions: EntryActions,
): PaletteEntry[] => [
  ...templates.map(
    ({ id, name, last_task }): PaletteEntry => ({
      id: `template-${id}`,
      icon: 'templates',
      title: name,
      kind: texts.template,
      status: last_task?.status,
      open: () => actions.openTemplate(id),
      run: mayRun(id) ? () => actions.runTemplate(id) : undefined,
    }),
  ),
  ...projects.map(
    ({ id, name }): PaletteEntry => ({
      id: `project-${id}`,
      icon: 'dashboard',
      title: name,
      kind: texts.project,
      open: () => actions.openProject(id),
    }),
  ),
];
