import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { open, readlink, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type { RepositoryScan } from '@signalbox/contract';
import { MAX_SCANNED_BYTES, MAX_SCANNED_FILES, type RepositorySource } from '@signalbox/contract/link';
import type { AccessedRepository } from '../git/checkout.ts';
import { type GitOptions, git } from '../git/git.ts';
import type { GitMirrors } from '../git/git-mirror.ts';
import { isInside } from '../git/repository-address.ts';
import { isInventory, playNames } from './playbook-head.ts';
import { listCommit, listFolder } from './repository-files.ts';

/** Bytes of files that one call of git prints: decoding more would block the runner. */
const CHUNK_BYTES = 1024 * 1024;
/** Maximum bytes of the list of sizes. */
const SIZES_BYTES = 1024 * 1024;

/** Maximum length of all names of plays in an answer: a longer answer would block the server while it reads it. */
const MAX_NAMES_LENGTH = 60_000;

const FAILING = 'The playbooks of the repository cannot be read';

/** Folders whose files are parts of playbooks, or belong to other projects. */
const OTHER_FOLDERS =
  /(^|\/)(\.[^/]*|roles|tasks|handlers|vars|defaults|meta|files|templates|group_vars|host_vars|molecule|collections|node_modules)\//;
const REQUIREMENTS = /^((roles|collections)\/)?requirements\.ya?ml$/;
const YAML = /\.ya?ml$/;
const INVENTORY_NAME = /(^|\/)((hosts|inventory|production|staging|development)(\.(ini|ya?ml))?|hosts\.[\w-]+)$/;
const INVENTORY_FOLDER = /(^|\/)inventor(y|ies)[^/]*\/(.*\/)?[^/.]+(\.(ini|ya?ml))?$/;

const mayBeInventory = (path: string): boolean => INVENTORY_NAME.test(path) || INVENTORY_FOLDER.test(path);

/** Reads files, and passes the text of each that is not too large. @returns whether all were read */
type ReadFiles = (paths: readonly string[], onText: (path: string, text: string) => void) => Promise<boolean>;

const scan = async (files: readonly string[], isWhole: boolean, read: ReadFiles): Promise<RepositoryScan> => {
  const depth = (path: string) => path.split('/').length;
  const candidates = files
    .filter(
      (path) => !OTHER_FOLDERS.test(path) && !REQUIREMENTS.test(path) && (YAML.test(path) || mayBeInventory(path)),
    )
    .toSorted((a, b) => depth(a) - depth(b));
  const [playbooks, inventories]: [RepositoryScan['playbooks'], string[]] = [[], []];
  let charactersLeft = MAX_NAMES_LENGTH;
  const areRead = await read(candidates.slice(0, MAX_SCANNED_FILES), (path, text) => {
    // Text that is not UTF-8, or binary.
    if (/[\uFFFD\0]/.test(text)) return;
    const plays = YAML.test(path) ? playNames(text) : undefined;
    if (plays) {
      charactersLeft -= plays.join('').length;
      playbooks.push({ path, plays: charactersLeft < 0 ? [] : plays });
    } else if (mayBeInventory(path) && isInventory(text, YAML.test(path))) inventories.push(path);
  });
  return {
    playbooks: playbooks.toSorted((a, b) => (a.path < b.path ? -1 : 1)),
    inventories: inventories.toSorted(),
    requirements: files.filter((path) => REQUIREMENTS.test(path)),
    complete: isWhole && areRead && candidates.length <= MAX_SCANNED_FILES,
  };
};

/** Groups files so that each group has few bytes. */
const chunked = (sizes: readonly (readonly [path: string, size: number])[]): string[][] => {
  const chunks: string[][] = [];
  let left = 0;
  for (const [path, size] of sizes) {
    if (chunks.length === 0 || left < size) {
      chunks.push([]);
      left = CHUNK_BYTES;
    }
    chunks.at(-1)?.push(path);
    left -= size;
  }
  return chunks;
};

/** Reads files of a commit. A link has the text of its target, which is no playbook. */
const readCommit =
  (mirror: string, commit: string, options: GitOptions): ReadFiles =>
  async (paths, onText) => {
    if (paths.length === 0) return true;
    const ask = (format: string, asked: readonly string[], maxOutput: number) =>
      git(['-C', mirror, 'cat-file', format], FAILING, options, {
        input: asked.map((path) => `${commit}:${path}\n`).join(''),
        maxOutput,
      });
    const rows = (await ask('--batch-check=%(objectsize)', paths, SIZES_BYTES)).split('\n');
    const sizes = paths.map((path, at) => [path, /^\d+$/.test(rows[at] ?? '') ? Number(rows[at]) : Infinity] as const);
    const small = sizes.filter(([, size]) => size <= MAX_SCANNED_BYTES);
    for (const chunk of chunked(small)) {
      // The separator is chosen after the commit was made, so that no file contains it.
      const separator = randomUUID();
      const printed = await ask(`--batch=${separator}`, chunk, 2 * CHUNK_BYTES);
      for (const [at, text] of printed.split(`${separator}\n`).slice(1).entries()) {
        const path = chunk[at];
        if (path !== undefined) onText(path, text);
        await setImmediate();
      }
    }
    return small.length === paths.length;
  };

/** Reads files of a plain folder, without links that lead out of it. */
const readFolder =
  (root: string, signal: AbortSignal): ReadFiles =>
  async (paths, onText) => {
    let areRead = true;
    for (const path of paths) {
      signal.throwIfAborted();
      const file = await open(join(root, path), constants.O_RDONLY | constants.O_NONBLOCK).catch(() => undefined);
      if (!file) continue;
      try {
        // The path of what was opened: a folder can become a link at any moment.
        const real = await readlink(`/proc/self/fd/${file.fd}`);
        const about = await file.stat();
        if (!isInside(root, real) || !about.isFile()) continue;
        const { size } = about;
        const isSmall = size <= MAX_SCANNED_BYTES;
        if (!isSmall) areRead = false;
        const { buffer, bytesRead } = await file.read(Buffer.alloc(isSmall ? size : 0), 0);
        if (isSmall) onText(path, buffer.toString('utf8', 0, bytesRead));
      } catch {
        // A folder, or a file that cannot be read.
      } finally {
        await file.close();
      }
    }
    return areRead;
  };

/**
 * The playbooks, inventories and requirements of a repository. The contents are hostile: number, size and depth of the
 * files are limited, and no parser builds their values.
 * @throws PreparationError for the requester
 */
export const repositoryScan = async (
  source: RepositorySource,
  { address, from, options }: AccessedRepository,
  mirrors: GitMirrors,
): Promise<RepositoryScan> => {
  if (address.type === 'folder') {
    const { files, complete } = await listFolder(address.path, options.signal);
    return await scan(files, complete, readFolder(await realpath(address.path), options.signal));
  }
  const { id, branch } = source;
  return await mirrors.read({ id, url: from, branch, commit: null }, options, async ({ mirror, hash }) => {
    const { files, complete } = await listCommit(mirror, hash, options);
    return await scan(files, complete, readCommit(mirror, hash, options));
  });
};
