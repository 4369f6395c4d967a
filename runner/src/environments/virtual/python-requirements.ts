import { realpathSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { PreparationError } from '../../errors/preparation-error.ts';
import { isInside } from '../../git/repository-address.ts';

/** Maximum size of a file in bytes, length of a line in characters, and number of files that include each other. */
const MAX_BYTES = 200_000;
const MAX_LINE = 2000;
const MAX_FILES = 50;

/** Requirements without the files that they include. */
export interface PythonRequirements {
  readonly requirements: readonly string[];
  readonly constraints: readonly string[];
  /** Paths below the checkout from which packages are installed. */
  readonly local: readonly string[];
  /** Whether each version is fixed, so that the same packages are found on another day. */
  readonly isPinned: boolean;
  /** Names of the variables of the run in them, such as `${TOKEN}`. */
  readonly variables: readonly string[];
}

const refused = (requirement: string): PreparationError =>
  new PreparationError(
    'preparation',
    `The Python requirement ${requirement} is editable, or a path outside of the repository: use a package of an index, an address, or a path in the repository.`,
    { code: 'virtual_environment.requirement_refused', params: { requirement } },
  );

const missing = (file: string): PreparationError =>
  new PreparationError('preparation', `The file ${file} with Python requirements is not in the repository.`, {
    code: 'virtual_environment.file_missing',
    params: { file },
  });

const URL = /^[a-z][a-z0-9+.-]*:\/\//i;
const ARCHIVE = /\.(whl|zip|tar\.gz|tgz|tar\.bz2|tar\.xz)$/i;
const PINNED = /^[\w.-]+\s*(\[[^\]]*\])?\s*===?\s*[^\s,;*]+\s*(;.*)?(\s+--hash=\S+)*$/;
const COMMIT = /@[0-9a-f]{40}(#.*)?$/;
const INCLUDED = /^(-r|--requirement|-c|--constraint)[\s=]*(\S.*)$/;
const FOUND_AT = /^(-f|--find-links)[\s=]*(\S.*)$/;
const EDITABLE = /^(-e|--editable)\b/;
/** The name before a source, as in `name[extra] @ https://…`. */
const NAMED = /^[A-Za-z0-9][\w.-]*\s*(\[[^\]]*\])?\s*@\s*/;
/** Options whose values are addresses, and others. pip also takes abbreviations, which are refused. */
const ADDRESS_OPTIONS =
  /^(-i|--index-url|--pypi-url|--extra-index-url|-f|--find-links|-r|--requirement|-c|--constraint)$/;
const OTHER_OPTIONS = /^--(no-index|pre|prefer-binary|require-hashes|no-binary|only-binary|trusted-host|use-feature)$/;

/** Characters other than a line feed at which pip begins a new line, as Python's `splitlines` does. */
const SEPARATORS = ['\v', '\f', '\r', '\x1c', '\x1d', '\x1e', '\x85', '\u2028', '\u2029'];

const hasSeparator = (line: string): boolean => SEPARATORS.some((character) => line.includes(character));

/**
 * The lines without comments, with continued lines joined.
 * @throws PreparationError for lines that pip would read in another way, and for very long ones
 */
const linesOf = (text: string): string[] => {
  const lines = text.split(/\r?\n/);
  const odd = lines.find((line) => line.length > MAX_LINE || hasSeparator(line));
  if (odd !== undefined) throw refused(odd.replace(/\s+/g, ' ').slice(0, 100));
  return lines
    .join('\n')
    .replace(/\\\n/g, ' ')
    .split('\n')
    .map((line) =>
      line
        .replace(/(^|\s)#.*$/, '')
        .replace(/\s+/g, ' ')
        .trim(),
    )
    .filter((line) => line !== '');
};

/** Whether a requirement is a commit of a repository. */
const isCommit = (line: string): boolean => {
  const [name = ''] = NAMED.exec(line) ?? [];
  const [source = ''] = line.slice(name.length).split(/[\s;]/, 1);
  return /^git\+[a-z]+:\/\//i.test(source) && COMMIT.test(source);
};

/** The local path of a requirement; undefined for the name of a package and for an address. */
const pathOf = (line: string): string | undefined => {
  const [name = ''] = NAMED.exec(line) ?? [];
  const source = line.slice(name.length);
  const [address] = /^[a-z][a-z0-9+.-]*:\S*/i.exec(source) ?? [];
  if (address !== undefined) return /^([a-z]+\+)?file:/i.test(address) ? address : undefined;
  const [path = ''] = source.split(/[\s;[]/, 1);
  return name !== '' || /^[.~$]/.test(path) || path.includes('/') || ARCHIVE.test(path) ? path : undefined;
};

/** Whether a line of options has only known ones, and names no path. */
const isAllowed = (line: string): boolean => {
  const parts = line.split(/\s+/).flatMap((part) => {
    const [, option, value] = /^(--[^=]+)=(.*)$/.exec(part) ?? /^(-[ifrc])([^-=].*)$/.exec(part) ?? [];
    return option === undefined || value === undefined ? [part] : [option, value];
  });
  let option = '';
  return parts.every((part) => {
    if (!part.startsWith('-')) return ADDRESS_OPTIONS.test(option) ? URL.test(part) : !part.includes('/');
    option = part;
    return ADDRESS_OPTIONS.test(part) || OTHER_OPTIONS.test(part);
  });
};

/** Reads requirements and the files that they include, as pip would from the top folder of the checkout. */
class RequirementsReader {
  readonly #top: string;
  readonly #read = new Set<string>();
  readonly requirements: string[] = [];
  readonly constraints: string[] = [];
  readonly local = new Set<string>();
  isPinned = true;

  constructor(checkout: string) {
    this.#top = realpathSync(checkout);
  }

  /** @param named the path as it is written, for errors */
  async addFile(path: string, into: string[], named: string): Promise<void> {
    const file = this.#inside(path);
    if (file === undefined || !statSync(file).isFile()) throw missing(named);
    const read = `${into === this.constraints ? '-c' : '-r'} ${file}`;
    if (this.#read.has(read)) return;
    this.#read.add(read);
    if (this.#read.size > MAX_FILES || statSync(file).size > MAX_BYTES) throw missing(named);
    await this.addText(await readFile(file, 'utf8'), into, dirname(file));
  }

  async addText(text: string, into: string[], folder = this.#top): Promise<void> {
    for (const line of linesOf(text)) await this.#add(line, into, folder);
  }

  async #add(line: string, into: string[], folder: string): Promise<void> {
    if (EDITABLE.test(line)) throw refused(line);
    const [, option = '', file = ''] = INCLUDED.exec(line) ?? [];
    if (file !== '' && !URL.test(file)) {
      const kind = /^(-c|--constraint)/.test(option) ? this.constraints : into;
      await this.addFile(join(folder, file), kind, relative(this.#top, join(folder, file)));
      return;
    }
    const [, , source = ''] = FOUND_AT.exec(line) ?? [];
    if (source !== '' && !URL.test(source)) into.push(`--find-links=${this.#localPath(source, line)}`);
    else if (line.startsWith('-')) this.#addOption(line, into);
    else this.#addRequirement(line, into);
  }

  #addOption(line: string, into: string[]): void {
    if (/file:/i.test(line) || !isAllowed(line)) throw refused(line);
    if (INCLUDED.test(line)) this.isPinned = false;
    into.push(line);
  }

  #addRequirement(line: string, into: string[]): void {
    const path = pathOf(line);
    if (path === undefined) into.push(line);
    else {
      const start = line.indexOf(path, NAMED.exec(line)?.[0].length);
      into.push(`${line.slice(0, start)}${this.#localPath(path, line)}${line.slice(start + path.length)}`);
    }
    if (into === this.requirements && path === undefined && !PINNED.test(line) && !isCommit(line))
      this.isPinned = false;
  }

  #localPath(path: string, line: string): string {
    const found = this.#inside(join(this.#top, path));
    if (found === undefined || path.startsWith('/') || URL.test(path) || path.includes(':')) throw refused(line);
    this.local.add(found);
    return found;
  }

  /** The real path of something in the checkout. */
  #inside(path: string): string | undefined {
    try {
      const real = realpathSync(path);
      return isInside(this.#top, real) ? real : undefined;
    } catch {
      return undefined;
    }
  }
}

/**
 * Reads the requirements of a virtual environment.
 * @throws PreparationError
 */
export const readRequirements = async (
  checkout: string,
  { requirements, requirements_file: file }: { readonly requirements: string; readonly requirements_file: string },
): Promise<PythonRequirements> => {
  const reader = new RequirementsReader(checkout);
  await reader.addText(requirements, reader.requirements);
  if (file !== '') await reader.addFile(join(realpathSync(checkout), file), reader.requirements, file);
  const all = [...reader.requirements, ...reader.constraints].join('\n');
  return {
    requirements: reader.requirements,
    constraints: reader.constraints,
    local: [...reader.local],
    isPinned: reader.isPinned,
    variables: [...new Set([...all.matchAll(/\$\{([A-Z0-9_]+)\}/g)].map(([, name = '']) => name))],
  };
};
