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
    // A browser that refuses storage forgets; nothing else depends on it.
  }
};

const readId = (key: string): number | undefined => {
  const id = Number(read(key));
  return Number.isSafeInteger(id) && id > 0 ? id : undefined;
};

const KEY = {
  language: 'language',
  dark: 'dark_mode',
  project: 'last_project_id',
  view: (project: number) => `project_${project}_last_view_id`,
  columns: (table: string) => `${table}_columns`,
  logWrap: 'log_wrap',
  logTimes: 'log_times',
};

/** What the browser remembers for a person. Each is forgotten quietly where storage is refused. */
export const storage = {
  /** True or false once chosen; undefined while the system decides. */
  dark: (): boolean | undefined => {
    const value = read(KEY.dark);
    return value === '1' ? true : value === '0' ? false : undefined;
  },
  setDark: (dark: boolean): void => write(KEY.dark, dark ? '1' : '0'),
  clearDark: (): void => write(KEY.dark, null),
  /** The language that was chosen, whatever it says; undefined while the browser decides. */
  language: (): string | undefined => read(KEY.language) ?? undefined,
  setLanguage: (language: string | undefined): void => write(KEY.language, language ?? null),
  lastProject: (): number | undefined => readId(KEY.project),
  setLastProject: (project: number): void => write(KEY.project, String(project)),
  lastView: (project: number): number | undefined => readId(KEY.view(project)),
  setLastView: (project: number, view: number | undefined): void =>
    write(KEY.view(project), view === undefined ? null : String(view)),
  /** Whether long lines of logs go on in the next row. */
  logWrap: (): boolean => read(KEY.logWrap) === '1',
  setLogWrap: (wrap: boolean): void => write(KEY.logWrap, wrap ? '1' : null),
  /** How times stand before the lines of logs, as it was chosen. */
  logTimes: (): string | undefined => read(KEY.logTimes) ?? undefined,
  setLogTimes: (times: string): void => write(KEY.logTimes, times),
  /** Names of the columns that a person switched off. */
  hiddenColumns: (table: string): string[] => {
    try {
      const names: unknown = JSON.parse(read(KEY.columns(table)) ?? '[]');
      return Array.isArray(names) ? names.filter((name) => typeof name === 'string') : [];
    } catch {
      return [];
    }
  },
  setHiddenColumns: (table: string, names: readonly string[]): void => write(KEY.columns(table), JSON.stringify(names)),
};
