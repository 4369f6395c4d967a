import type { Project, Template } from '@signalbox/contract';
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
  readonly run: () => void;
}

const MAX_ENTRIES = 12;

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

/** The entries that match the typed text, best first. Without text: all entries in their order. */
export const findEntries = (entries: readonly PaletteEntry[], typed: string): PaletteEntry[] => {
  const found = entries.flatMap((entry) => {
    const score = scoreOf(`${entry.title} ${entry.kind}`, typed);
    return score === undefined ? [] : [{ entry, score }];
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
  readonly run: string;
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
  ...templates
    .filter(({ id }) => mayRun(id))
    .map(
      ({ id, name }): PaletteEntry => ({
        id: `run-${id}`,
        icon: 'play',
        title: name,
        kind: texts.run,
        run: () => actions.runTemplate(id),
      }),
    ),
  ...templates.map(
    ({ id, name }): PaletteEntry => ({
      id: `template-${id}`,
      icon: 'templates',
      title: name,
      kind: texts.template,
      run: () => actions.openTemplate(id),
    }),
  ),
  ...projects.map(
    ({ id, name }): PaletteEntry => ({
      id: `project-${id}`,
      icon: 'dashboard',
      title: name,
      kind: texts.project,
      run: () => actions.openProject(id),
    }),
  ),
];
