/** The settings of Ansible that hold arguments of ssh, scp and sftp. */
export const ARGUMENT_SETTINGS = [
  'ssh_args',
  'ssh_common_args',
  'ssh_extra_args',
  'scp_extra_args',
  'sftp_extra_args',
] as const;

type SettingName = (typeof ARGUMENT_SETTINGS)[number];

export type ArgumentSettings = Partial<Record<SettingName, string>>;

/** Looks up each of these settings; settings without a value are omitted. */
export const argumentsBy = (read: (name: SettingName) => string | undefined): ArgumentSettings =>
  Object.fromEntries(
    ARGUMENT_SETTINGS.flatMap((name) => {
      const text = read(name);
      return text === undefined ? [] : [[name, text]];
    }),
  );

const PIECE = /\\([\s\S])|'([^']*)'|"((?:[^"\\]|\\[\s\S])*)"/g;
const ARGUMENT = /(?:[^ \t\r\n'"\\]|\\[\s\S]|'[^']*'|"(?:[^"\\]|\\[\s\S])*")+/g;

/** The arguments in a string, split as Ansible does; undefined if a quote is not closed, which Ansible refuses. */
export const splitWords = (text: string): string[] | undefined => {
  if (text.replace(ARGUMENT, '').trim() !== '') return undefined;
  return (text.match(ARGUMENT) ?? []).map((raw) =>
    raw.replace(
      PIECE,
      (_, escaped?: string, single?: string, double?: string) =>
        escaped ?? single ?? (double ?? '').replace(/\\(["\\])/g, '$1'),
    ),
  );
};

/** Quotes one argument for such a string. */
export const quotedWord = (text: string): string =>
  /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'"'"'`)}'`;

/** The options of ssh whose value is the next argument, unless a value is attached. */
const WITH_VALUE = /^-[BbcDEeFIiJLlmOopQRSWw]$/;

interface Option {
  /** The original arguments. */
  words: string[];
  /** The letter and the value; undefined if this is not an option. */
  letter: string | undefined;
  value: string;
}

const optionsOf = (words: readonly string[]): Option[] => {
  const options: Option[] = [];
  for (let at = 0; at < words.length; at += 1) {
    const first = words[at] ?? '';
    const next = words[at + 1];
    const letter = /^-([A-Za-z0-9])/.exec(first)?.[1];
    if (WITH_VALUE.test(first) && next !== undefined) {
      options.push({ words: [first, next], letter, value: next });
      at += 1;
    } else options.push({ words: [first], letter, value: first.slice(2) });
  }
  return options;
};

const isControlPath = ({ letter, value }: Option): boolean => letter === 'o' && /^\s*ControlPath\b/i.test(value);

export interface OwnArguments {
  /** The configuration file of the last `-F`; undefined without this option. */
  file: string | undefined;
  /** The remaining arguments, without the folder for open connections: those belong to one run. */
  rest: string;
}

/**
 * Removes the options that a run sets itself from a string of arguments. The inside of an argument, such as a
 * ProxyCommand, is kept.
 * @param name of the setting: for scp and sftp some letters have other meanings
 */
export const takeOwn = (given: string, name: SettingName = 'ssh_args'): OwnArguments => {
  const words = splitWords(given);
  if (words === undefined) return { file: undefined, rest: given };
  const options = optionsOf(words);
  const ours = name.startsWith('ssh_') ? ['F', 'S'] : [];
  const kept = options.filter((option) => !ours.includes(option.letter ?? '') && !isControlPath(option));
  return {
    file: ours.length === 0 ? undefined : options.findLast(({ letter }) => letter === 'F')?.value,
    rest: kept.flatMap((option) => option.words.map(quotedWord)).join(' '),
  };
};
