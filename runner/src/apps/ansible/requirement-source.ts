import { existsSync, realpathSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { type OwnDetail, ownDetail } from '../../errors/own-detail.ts';
import { PreparationError } from '../../errors/preparation-error.ts';
import { isInside, parseRepositoryUrl, shownUrl } from '../../git/repository-address.ts';

export interface SourceRules {
  /** A real path. */
  checkout: string;
  /** Folders of the machine from which files may be taken. */
  roots: readonly string[];
}

/** One checked entry, in the form in which ansible-galaxy gets it. */
export interface Requirement {
  entry: Record<string, unknown>;
  /** False if the installed content may change with time. */
  isPinned: boolean;
  /** The file or folder of this machine that the entry is installed from. */
  local: string | undefined;
}

type Entry = Record<string, unknown>;

const isRecord = (value: unknown): value is Entry =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const refuse = (what: unknown, file: string, why: OwnDetail) => {
  const shown = typeof what === 'string' ? shownUrl(what.replace(/^git\+/, '')) : JSON.stringify(what);
  return new PreparationError('preparation', `The requirement ${shown} of ${file} is refused: ${why.detail}.`, {
    code: 'requirements.refused',
    params: { file, requirement: String(shown), ...why },
  });
};

const OUTSIDE_FOLDERS = ownDetail(
  'outside_folders',
  'it is outside the repository and the folders that SIGNALBOX_LOCAL_REPOSITORY_ROOTS lists',
);
const LOCAL_DISABLED = ownDetail(
  'local_disabled',
  'local repositories are disabled: SIGNALBOX_LOCAL_REPOSITORY_ROOTS lists no folder',
);
const ADDRESS_INVALID = ownDetail('address_invalid', 'its address is not valid');

const protocolDetail = (scheme: string) =>
  ownDetail('protocol_refused', `the protocol ${scheme} is not supported`, scheme);

/** Why the address of a repository is refused, from the error of `parseRepositoryUrl`. */
const addressDetail = (error: unknown): OwnDetail => {
  const reason = error instanceof PreparationError ? error.endReason : undefined;
  switch (reason?.code) {
    case 'git.local_disabled':
      return LOCAL_DISABLED;
    case 'git.local_outside':
      return OUTSIDE_FOLDERS;
    case 'git.protocol_refused':
      return protocolDetail(reason.params.protocol);
    default:
      return ADDRESS_INVALID;
  }
};

/** Path of a role inside the folder of roles. A path that leaves the folder, or begins with a dash, does not match. */
const ROLE_NAME = /^\w[\w.-]*(\/\w[\w.-]*)*$/;
const COLLECTION_NAME = /^[a-zA-Z_]\w*\.[a-zA-Z_]\w*$/;
/** The name of a server in ansible.cfg. */
const SERVER_NAME = /^\w[\w.-]*$/;
/** A release number of Galaxy: its content does not change with time. */
const RELEASE = /^={0,2}\s*v?\d[\w.+-]*$/;

/**
 * A full hash, or the tag of one release, including pre-releases. Branches are named after a line of releases (`1.x`,
 * `2-stable`, `1.2`, `10.0.0-lts`), with fewer numbers or other suffixes. A tag that is taken for a branch is only
 * fetched more often.
 */
const FIXED_IN_GIT =
  /^([0-9a-f]{40}|[0-9a-f]{64}|v?\d+\.\d+\.\d+(\.\d+)?([-.+]?(a|b|c|rc|alpha|beta|pre|preview|post)[-.]?\d+)?(-\d+|\+[\w.]+)?)$/;

const isFixed = (version: string | undefined, isGit: boolean): boolean =>
  version !== undefined && (isGit ? FIXED_IN_GIT : RELEASE).test(version);

const textOf = (entry: Entry, name: string, file: string): string | undefined => {
  const value = entry[name];
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (typeof value !== 'string' || /[\u0000-\u001f]/.test(value))
    throw refuse(value, file, ownDetail('field_not_text', `its ${name} is not a text`, name));
  if (value.trim().startsWith('-'))
    throw refuse(value, file, ownDetail('field_dash', `its ${name} begins with a dash`, name));
  return value.trim();
};

const localPath = (path: string, file: string, { checkout, roots }: SourceRules): string => {
  const plain = path.replace(/^file:\/\/(localhost(?=\/))?/, '');
  let real: string;
  try {
    real = realpathSync(isAbsolute(plain) ? plain : join(checkout, plain));
  } catch {
    throw refuse(path, file, ownDetail('file_missing', 'there is no such file'));
  }
  const folders = [checkout, ...roots.flatMap((root) => (existsSync(root) ? [realpathSync(root)] : []))];
  if (folders.some((folder) => isInside(folder, real))) return real;
  throw refuse(path, file, OUTSIDE_FOLDERS);
};

/**
 * Checks the address of a repository, which has no version.
 * @returns the path of the repository if it is on this machine
 */
const gitPath = (url: string, file: string, rules: SourceRules): string | undefined => {
  const address = url.replace(/^git\+/, '');
  if (/(^|\/)\.\.(\/|$)/.test(address.split('#')[1] ?? ''))
    throw refuse(url, file, ownDetail('folder_outside', 'its folder is outside the repository'));
  try {
    const found = parseRepositoryUrl(address.split('#')[0] ?? '', [rules.checkout, ...rules.roots]);
    if (found.type === 'remote') return undefined;
    if (found.type === 'local-git') return found.path;
  } catch (error) {
    throw refuse(url, file, addressDetail(error));
  }
  throw refuse(url, file, ownDetail('not_git', 'it is not a git repository'));
};

const isWeb = (text: string) => /^https?:\/\//i.test(text);
const schemeOf = (text: string) => /^([a-z][a-z0-9+.-]*):/i.exec(text)?.[1]?.toLowerCase();

/** The name that ansible-galaxy gives a role without a name: the last part of its address. */
const nameFrom = (src: string): string => {
  if (!/:\/\/|@/.test(src)) return src;
  const last = src.split('/').at(-1) ?? '';
  return (
    last
      .replace(/\.git$/, '')
      .replace(/\.tar\.gz$/, '')
      .split(',')[0] ?? ''
  );
};

const roleSource = (src: string, scm: string | undefined, file: string, rules: SourceRules) => {
  if (scm !== undefined && scm !== 'git')
    throw refuse(src, file, ownDetail('scm_refused', `roles are not installed from ${scm}`, scm));
  if (scm === 'git') return { src, local: gitPath(src, file, rules) };
  if (isWeb(src)) return { src, local: undefined };
  if (schemeOf(src) === 'file') {
    const local = localPath(src, file, rules);
    return { src: `file://${local}`, local };
  }
  const scheme = schemeOf(src);
  if (scheme !== undefined) throw refuse(src, file, protocolDetail(scheme));
  if (src.includes('/') || existsSync(join(rules.checkout, src))) {
    const local = localPath(src, file, rules);
    return { src: local, local };
  }
  return { src, local: undefined };
};

/** `src[,version[,name]]` */
const splitRole = (text: string, file: string): Entry => {
  const [src = '', version, name, ...more] = text.split(',');
  if (more.length > 0)
    throw refuse(text, file, ownDetail('too_many_parts', 'it has more parts than source, version and name'));
  return { src, ...(version === undefined ? {} : { version }), ...(name === undefined ? {} : { name }) };
};

/** Checks one entry of roles. */
export const checkRole = (given: unknown, file: string, rules: SourceRules): Requirement => {
  const entry = typeof given === 'string' ? splitRole(given, file) : given;
  if (!isRecord(entry)) throw refuse(given, file, ownDetail('not_entry', 'it is neither a text nor a mapping'));
  const text = (name: string) => textOf(entry, name, file);
  const whole = text('src') ?? text('role') ?? text('name');
  if (whole === undefined) throw refuse(given, file, ownDetail('source_missing', 'it has neither a source nor a name'));
  const isHub = /^https?:\/\/([^/@]*@)?github\.com\//.test(whole) && !whole.endsWith('.tar.gz') && !whole.includes('+');
  const plus = isHub ? -1 : whole.indexOf('+');
  const prefixed = plus > 0 && /^\w+$/.test(whole.slice(0, plus)) ? whole.slice(0, plus) : undefined;
  const scm = prefixed ?? (isHub ? 'git' : text('scm'));
  const address = prefixed === undefined ? whole : whole.slice(plus + 1);
  const version = text('version');
  const { src, local } = roleSource(address, scm, file, rules);
  const name = text('name') ?? nameFrom(address);
  if (!ROLE_NAME.test(name)) throw refuse(name, file, ownDetail('role_name_invalid', 'it is not a valid role name'));
  return {
    entry: { src, name, ...(scm === undefined ? {} : { scm }), ...(version === undefined ? {} : { version }) },
    isPinned: isFixed(version, scm === 'git'),
    local,
  };
};

const COLLECTION_TYPES = ['galaxy', 'git', 'url', 'file', 'dir', 'subdirs'];

const guessType = (pointer: string): string => {
  if (/^git[+@]/.test(pointer)) return 'git';
  if (isWeb(pointer)) return 'url';
  return COLLECTION_NAME.test(pointer) ? 'galaxy' : 'file';
};

const checkPointer = (type: string, pointer: string, file: string, rules: SourceRules) => {
  if (type === 'git') return { pointer, local: gitPath(pointer.split(',')[0] ?? '', file, rules) };
  if (type === 'url' && isWeb(pointer)) return { pointer, local: undefined };
  if (type === 'url' && schemeOf(pointer) !== 'file') {
    const scheme = schemeOf(pointer);
    throw refuse(pointer, file, scheme === undefined ? ADDRESS_INVALID : protocolDetail(scheme));
  }
  const local = localPath(pointer, file, rules);
  return { pointer: type === 'url' ? `file://${local}` : local, local };
};

const signaturesOf = (entry: Entry, file: string, rules: SourceRules): Entry => {
  const given = entry.signatures;
  if (given === undefined || given === null) return {};
  const signatures = (Array.isArray(given) ? given : [given]).map((one) => {
    const signature = textOf({ signature: one }, 'signature', file) ?? '';
    return isWeb(signature) ? signature : `file://${localPath(signature, file, rules)}`;
  });
  return { signatures };
};

const checkServer = (source: string, file: string): string => {
  if (isWeb(source) || SERVER_NAME.test(source)) return source;
  throw refuse(source, file, ownDetail('server_invalid', 'it is neither an address nor the name of a server'));
};

/** Checks one entry of collections. */
export const checkCollection = (given: unknown, file: string, rules: SourceRules): Requirement => {
  const entry = typeof given === 'string' ? { name: given } : given;
  if (!isRecord(entry)) throw refuse(given, file, ownDetail('not_entry', 'it is neither a text nor a mapping'));
  const text = (name: string) => textOf(entry, name, file);
  const [name, source, version] = [text('name'), text('source'), text('version')];
  const given_type = text('type');
  const isNamed = name !== undefined && COLLECTION_NAME.test(name);
  const type = given_type ?? (isNamed ? 'galaxy' : guessType(source ?? name ?? ''));
  if (!COLLECTION_TYPES.includes(type))
    throw refuse(name ?? source, file, ownDetail('type_unknown', `there is no type ${type}`, type));
  const more = { ...(version === undefined ? {} : { version }), ...signaturesOf(entry, file, rules) };
  const isPinned = isFixed(version, type === 'git');
  if (type === 'galaxy') {
    if (!isNamed)
      throw refuse(name ?? given, file, ownDetail('collection_name_invalid', 'it is not a valid collection name'));
    const server = source === undefined ? {} : { source: checkServer(source, file) };
    return { entry: { name, type, ...server, ...more }, isPinned, local: undefined };
  }
  const { pointer, local } = checkPointer(type, source ?? name ?? '', file, rules);
  return {
    entry: { source: pointer, type, ...(isNamed ? { name } : {}), ...more },
    isPinned: isPinned || type === 'file',
    local,
  };
};
