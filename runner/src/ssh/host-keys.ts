import { constants } from 'node:fs';
import { appendFile, open, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { WritableFolder } from '../files/writable-folder.ts';
import { quoted } from './askpass-program.ts';

/**
 * accept-new: the first key of each host is stored and trusted; strict: only keys that an administrator added are
 * trusted.
 */
export type HostKeyPolicy = 'accept-new' | 'strict';

/** Name of the file with host keys for all projects. Only an administrator changes it. */
const SHARED_FILE = 'all-projects';

/** A line that ssh adds to its file of known hosts when it sees a host for the first time. */
const HOST_KEY_LINE = /^[^\s@#|][^\s]* [a-z0-9@.-]+ [A-Za-z0-9+/]+=*$/;
const MAX_BYTES = 16 * 1024 * 1024;

/** A text of host and key type for each host of a line: `web1 ssh-ed25519`. */
const hostsAndTypes = (line: string): string[] => {
  const [hosts = '', kind = ''] = line.split(' ');
  return hosts.split(',').map((host) => `${host} ${kind}`);
};

const endLine = (text: string) => (text === '' || text.endsWith('\n') ? text : `${text}\n`);

const readRegular = async (path: string): Promise<string> => {
  try {
    const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      const status = await file.stat();
      return status.isFile() && status.size <= MAX_BYTES ? await file.readFile('utf8') : '';
    } finally {
      await file.close();
    }
  } catch {
    return '';
  }
};

/** The host keys that ssh may trust, kept per project. */
export class HostKeys {
  readonly policy: HostKeyPolicy;
  readonly #folder: string;

  constructor(folder: string, policy: HostKeyPolicy) {
    this.#folder = folder;
    this.policy = policy;
  }

  /** The file of host keys of a project. All repositories without a project share one file. */
  readonly fileOf = (projectId: number | undefined): string =>
    join(this.#folder, projectId === undefined ? 'no-project' : `project-${projectId}`);

  /** The file of the administrator for all projects; ssh only reads it. */
  get shared(): string {
    return join(this.#folder, SHARED_FILE);
  }

  /** Copies the host keys that a project trusts to a file that a run user will read. @returns its path */
  async copyFor(projectId: number, folder: WritableFolder, name: string): Promise<string> {
    const texts = await Promise.all(this.filesOf(projectId).map((file) => readFile(file, 'utf8').catch(() => '')));
    return folder.write(name, texts.map(endLine).join(''));
  }

  /**
   * Stores the keys that ssh has added to a copy made by `copyFor`. The run user can write anything to the copy. So its size is
   * limited, links are not followed, and a key is accepted only if the host has no key of this type.
   */
  async addKeysFrom(projectId: number, copy: string): Promise<void> {
    if (this.policy === 'strict') return;
    const text = await readRegular(copy);
    const file = this.fileOf(projectId);
    const texts = await Promise.all(this.filesOf(projectId).map((one) => readFile(one, 'utf8').catch(() => '')));
    const known = new Set(texts.flatMap((one) => one.split('\n')).flatMap(hostsAndTypes));
    const added = text.split('\n').filter((line) => {
      const [key = ''] = HOST_KEY_LINE.test(line) ? hostsAndTypes(line) : [];
      if (!HOST.test(line.split(' ', 1)[0] ?? '') || key === '' || known.has(key)) return false;
      known.add(key);
      return true;
    });
    if (added.length > 0) await appendFile(file, `${added.join('\n')}\n`, { mode: 0o600 });
  }

  /** The files in the order in which ssh reads them; it writes to the first. */
  filesOf(projectId: number | undefined): string[] {
    return [this.fileOf(projectId), this.shared];
  }
}

export interface RefusedHostKey {
  host: string;
  /** changed: not the stored key; unknown: no stored key under the strict policy. */
  type: 'changed' | 'unknown';
  /** The file with the stored key, if ssh named it. */
  file: string | undefined;
}

/** The end of a line that ssh printed: a line break, or its escape in the JSON of Ansible. */
const LINE_END = /[\r\n]|\\[rn]/;
const REFUSED =
  /(?:Host key for (\S{1,1000}) has changed|No \S{1,64} host key is known for (\S{1,1000})) and you have requested strict/g;
const OFFENDING = /^Offending \S{1,64} key in (\/[^"\\]{0,4095}?):\d/;

/**
 * The file that a line names. Only one position of the line is checked: a run can write many lines that name a file a
 * thousand times without the number after it.
 */
const offendingFile = (line: string): string | undefined => {
  const at = line.lastIndexOf('Offending ');
  return at === -1 ? undefined : OFFENDING.exec(line.slice(at))?.[1];
};

/** The hosts whose keys ssh refused, from its output. Takes linear time for any text. */
export const refusedHostKeys = (text: string): RefusedHostKey[] => {
  const refused: RefusedHostKey[] = [];
  let file: string | undefined;
  for (const line of text.split(LINE_END)) {
    file = offendingFile(line) ?? file;
    for (const [, changed, unknown = ''] of line.matchAll(REFUSED)) {
      refused.push(
        changed === undefined
          ? { host: unknown, type: 'unknown', file: undefined }
          : { host: changed, type: 'changed', file },
      );
    }
  }
  return refused;
};

/** Valid names of a host. Any other text may be forged, and is not repeated in a message. */
const HOST = /^[\w.:%[\]][\w.:%[\]-]{0,254}$/;

/** The file of the operating system, which ssh also reads for every project. */
const SYSTEM_FILE = '/etc/ssh/ssh_known_hosts';

/** The file to change; undefined if the message names a file that ssh was not given. */
const fileOf = ({ file }: RefusedHostKey, projectFile: string): string | undefined => {
  // The copy for a run user is deleted with its run.
  if (file === undefined || /\/places\//.test(file)) return projectFile;
  return [projectFile, join(dirname(projectFile), SHARED_FILE), SYSTEM_FILE].find((known) => known === file);
};

/**
 * One message for readers of the log: the host, the reason, and the solution. It is made from the output of programs,
 * which can be forged, so it contains a command only if each argument of the command is a known value.
 */
export const hostKeyHint = (error: RefusedHostKey, projectFile: string): string => {
  const host = HOST.test(error.host) ? error.host : undefined;
  if (error.type === 'unknown') {
    return `The host key of ${host ?? 'a host'} is not known, and SIGNALBOX_HOST_KEYS is strict: compare the key of the host with the output of ssh-keyscan, add that line to ${projectFile} on the runner, and try again.`;
  }
  const file = fileOf(error, projectFile);
  const remedy =
    host === undefined || file === undefined
      ? 'remove the line with the old key on the runner'
      : `run \`ssh-keygen -R ${quoted(host)} -f ${quoted(file)}\` on the runner`;
  return `The host key of ${host ?? 'a host'} is not the stored key, so the connection was refused: another machine may be answering. If the key was changed on purpose, ${remedy}, and try again.`;
};
