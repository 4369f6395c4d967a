import { createHash, randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type Cache, noteUse } from '../cache/cache-cleaner.ts';
import type { ProcessUser } from '../process/process-user.ts';
import { runProgram } from '../process/program.ts';
import { PreparationFault } from './preparation-fault.ts';

const GALAXY_TIMEOUT_MS = 15 * 60_000;

export interface Requirements {
  file: string;
  kind: 'role' | 'collection';
}

const hasSection = (text: string, name: string) => new RegExp(`^${name}\\s*:`, 'm').test(text);

/** The requirements of a checkout, in the places where Ansible's own tools keep them. */
export const findRequirements = (checkout: string, playbook: string): Requirements[] => {
  const found: Requirements[] = [];
  for (const folder of new Set([dirname(playbook), checkout])) {
    for (const ending of ['yml', 'yaml']) {
      const add = (place: string, kind: Requirements['kind'], section: string) => {
        const file = join(folder, place, `requirements.${ending}`);
        if (!existsSync(file)) return;
        const text = readFileSync(file, 'utf8');
        const isList = /^\s*-\s/m.test(text) && !hasSection(text, 'roles') && !hasSection(text, 'collections');
        if (hasSection(text, section) || (isList && kind === 'role')) found.push({ file, kind });
      };
      add('.', 'role', 'roles');
      add('.', 'collection', 'collections');
      add('roles', 'role', 'roles');
      add('collections', 'collection', 'collections');
    }
  }
  return found;
};

/** True when every entry names a version, so that what is installed does not change with time. */
export const isPinned = (text: string): boolean => {
  const entries = text.match(/^\s*-\s/gm)?.length ?? 0;
  const versions = text.match(/^\s*(-\s+)?version\s*:/gm)?.length ?? 0;
  return entries <= versions;
};

/** Names what is installed for a content: for ever when versions are named, else for a day. */
export const requirementsKey = (requirements: readonly Requirements[], day: string): string => {
  const hash = createHash('sha256');
  for (const { file, kind } of requirements) {
    const text = readFileSync(file, 'utf8');
    hash.update(`${kind}\0${text}\0${isPinned(text) ? '' : day}\0`);
  }
  return hash.digest('hex').slice(0, 32);
};

export interface GalaxyOptions {
  cache: string;
  env: Record<string, string>;
  signal: AbortSignal;
  ansibleGalaxy: string;
  checkout: string;
  user: ProcessUser | undefined;
  onOutput: (chunk: Buffer) => void;
}

/** What is installed, as what may be removed and installed again. It is never changed once it is there. */
export const galaxyCacheIn = (folder: string): Cache => ({
  folder,
  what: 'the requirements',
  isDraft: (name) => name.includes('.'),
  alone: (_path, work) => work(),
});

/** Installs requirements once per content. Answers the folder, with `roles` and `collections` in it. */
export const installRequirements = async (
  requirements: readonly Requirements[],
  options: GalaxyOptions,
): Promise<{ folder: string; isNew: boolean }> => {
  const folder = join(options.cache, requirementsKey(requirements, new Date().toISOString().slice(0, 10)));
  if (existsSync(folder)) {
    await noteUse(folder);
    return { folder, isNew: false };
  }
  const draft = `${folder}.${randomUUID()}`;
  await mkdir(draft, { recursive: true, mode: 0o700 });
  try {
    for (const { file, kind } of requirements) {
      const end = await runProgram(
        options.ansibleGalaxy,
        [kind, 'install', `--role-file=${file}`, `--roles-path=${join(draft, 'roles')}`].map((word) =>
          kind === 'role'
            ? word
            : word
                .replace('--role-file', '--requirements-file')
                .replace(/^--roles-path=.*/, `--collections-path=${join(draft, 'collections')}`),
        ),
        {
          cwd: options.checkout,
          env: options.env,
          signal: options.signal,
          timeoutMs: GALAXY_TIMEOUT_MS,
          onOutput: options.onOutput,
        },
      );
      if (end.code !== 0) {
        const why = end.fault === 'timeout' ? 'it took too long' : 'see the lines above';
        throw new PreparationFault(
          'preparation',
          `ansible-galaxy could not install the ${kind}s of ${file.slice(options.checkout.length + 1)}: ${why}.`,
        );
      }
    }
    await rename(draft, folder).catch((fault: NodeJS.ErrnoException) => {
      // Another run has installed the same meanwhile.
      if (fault.code !== 'ENOTEMPTY' && fault.code !== 'EEXIST') throw fault;
    });
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
  return { folder, isNew: true };
};
