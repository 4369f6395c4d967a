const read = (key: string): string | null => {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
};

const write = (key: string, value: string | null): void => {
  try {
    if (value === null) localStorage.removeItem(key);
    else localStorage.setItem(key, value);
  } catch {
    // Without browser storage the value is lost; nothing else depends on it.
  }
};

const readId = (key: string): number | undefined => {
  const id = Number(read(key));
  return Number.isSafeInteger(id) && id > 0 ? id : undefined;
};

const readTexts = (key: string): string[] => {
  try {
    const texts: unknown = JSON.parse(read(key) ?? '[]');
    return Array.isArray(texts) ? texts.filter((text) => typeof text === 'string') : [];
  } catch {
    return [];
  }
};

/** Maximum number of stored recent entries of the palette. */
const MAX_RECENT = 20;

const KEY = {
  language: 'language',
  dark: 'dark_mode',
  project: 'last_project_id',
  view: (project: number) => `project_${project}_last_view_id`,
  visit: (project: number) => `project_${project}_last_visit`,
  columns: (table: string) => `${table}_columns`,
  logWrap: 'log_wrap',
  recent: 'recent_entries',
  logTimes: 'log_times',
  foldHosts: 'matrix_fold_hosts',
  foldRoles: 'matrix_fold_roles',
};

/** Values that the browser stores for a user. Without browser storage they are lost silently. */
export const storage = {
  /** True for dark, false for light; undefined while the system decides. */
  dark: (): boolean | undefined => {
    const value = read(KEY.dark);
    return value === '1' ? true : value === '0' ? false : undefined;
  },
  setDark: (dark: boolean): void => write(KEY.dark, dark ? '1' : '0'),
  clearDark: (): void => write(KEY.dark, null),
  /** The stored language, which may be invalid; undefined while the browser decides. */
  language: (): string | undefined => read(KEY.language) ?? undefined,
  setLanguage: (language: string | undefined): void => write(KEY.language, language ?? null),
  /** When the user last opened the overview of a project, in milliseconds since 1970. */
  lastVisit: (project: number): number | undefined => readId(KEY.visit(project)),
  setLastVisit: (project: number, at: number): void => write(KEY.visit(project), String(at)),
  lastProject: (): number | undefined => readId(KEY.project),
  setLastProject: (project: number): void => write(KEY.project, String(project)),
  lastView: (project: number): number | undefined => readId(KEY.view(project)),
  setLastView: (project: number, view: number | undefined): void =>
    write(KEY.view(project), view === undefined ? null : String(view)),
  /** Whether long lines of logs wrap. */
  logWrap: (): boolean => read(KEY.logWrap) === '1',
  setLogWrap: (wrap: boolean): void => write(KEY.logWrap, wrap ? '1' : null),
  /** Whether the matrix of a task shows hosts with the same results, and the steps of a role, once. Default: it does. */
  foldsHosts: (): boolean => read(KEY.foldHosts) !== '0',
  setFoldsHosts: (folds: boolean): void => write(KEY.foldHosts, folds ? null : '0'),
  foldsRoles: (): boolean => read(KEY.foldRoles) !== '0',
  setFoldsRoles: (folds: boolean): void => write(KEY.foldRoles, folds ? null : '0'),
  /** The stored format of times before log lines. */
  logTimes: (): string | undefined => read(KEY.logTimes) ?? undefined,
  setLogTimes: (times: string): void => write(KEY.logTimes, times),
  /** Names of the hidden columns of a table. */
  hiddenColumns: (table: string): string[] => readTexts(KEY.columns(table)),
  setHiddenColumns: (table: string, names: readonly string[]): void => write(KEY.columns(table), JSON.stringify(names)),
  /** Ids of entries that were chosen in the palette, the newest first. */
  recentEntries: (): string[] => readTexts(KEY.recent),
  addRecentEntry: (id: string): void => {
    const others = readTexts(KEY.recent).filter((other) => other !== id);
    write(KEY.recent, JSON.stringify([id, ...others].slice(0, MAX_RECENT)));
  },
};
