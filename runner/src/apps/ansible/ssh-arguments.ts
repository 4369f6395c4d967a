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
export const splitArguments = (text: string): string[] | undefined => {
  if (text.replace(ARGUMENT, '').trim() !== '') return undefined;
  return (text.match(ARGUMENT) ?? []).map((raw) =>
    raw.replace(
      PIECE,
      (_, escaped?: string, single?: string, double?: string) =>
        escaped ?? single ?? (double ?? '').replace(/\\(["\\])/g, '$1'),
    ),
  );
};

/** Quotes one argument, so that `splitArguments` returns it unchanged. */
export const quoteArgument = (text: string): string =>
  /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'"'"'`)}'`;

/** The options of ssh whose value is the next argument, unless a value is attached. */
const WITH_VALUE = /^-[BbcDEeFIiJLlmOopQRSWw]$/;

interface Option {
  /** The original arguments. */
  given: string[];
  /** The letter and the value; undefined if this is not an option. */
  letter: string | undefined;
  value: string;
}

const optionsOf = (args: readonly string[]): Option[] => {
  const options: Option[] = [];
  for (let at = 0; at < args.length; at += 1) {
    const first = args[at] ?? '';
    const next = args[at + 1];
    const letter = /^-([A-Za-z0-9])/.exec(first)?.[1];
    if (WITH_VALUE.test(first) && next !== undefined) {
      options.push({ given: [first, next], letter, value: next });
      at += 1;
    } else options.push({ given: [first], letter, value: first.slice(2) });
  }
  return options;
};

const isControlPath = ({ letter, value }: Option): boolean => letter === 'o' && /^\s*ControlPath\b/i.test(value);

export interface RemainingArguments {
  /** The configuration file of the last `-F`; undefined without this option. */
  file: string | undefined;
  /** The remaining arguments, without the path of open connections: each run has its own. */
  rest: string;
}

/**
 * Removes the options that a run sets itself from a string of arguments. Options inside of an argument, such as those of a
 * ProxyCommand, are kept.
 * @param name the name of the setting, because some letters have other meanings for scp and sftp
 */
export const removeRunOptions = (given: string, name: SettingName = 'ssh_args'): RemainingArguments => {
  const args = splitArguments(given);
  if (args === undefined) return { file: undefined, rest: given };
  const options = optionsOf(args);
  const setByRun = name.startsWith('ssh_') ? ['F', 'S'] : [];
  const kept = options.filter((option) => !setByRun.includes(option.letter ?? '') && !isControlPath(option));
  return {
    file: setByRun.length === 0 ? undefined : options.findLast(({ letter }) => letter === 'F')?.value,
    rest: kept.flatMap((option) => option.given.map(quoteArgument)).join(' '),
  };
};
