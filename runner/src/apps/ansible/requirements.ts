import { existsSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { EndReason } from '@signalbox/contract';
import { isScalar, parseDocument, type ScalarTag, visit, type YAMLMap } from 'yaml';
import { DetailError, detailOf, type OwnDetail, ownDetail } from '../../errors/own-detail.ts';
import { PreparationError } from '../../errors/preparation-error.ts';
import { readPlainText } from '../../files/plain-text-file.ts';
import { insideCheckout } from '../../git/inside-checkout.ts';
import { checkCollection, checkRole, type Requirement, type SourceRules } from './requirement-source.ts';

/** Requirements of one kind from one file. */
export interface Requirements {
  /** The file's path in the checkout. */
  name: string;
  kind: 'role' | 'collection';
  list: Requirement[];
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A lone dot, which names the checkout: the YAML library parses it as a number, and Ansible's parser does not. */
const DOT: ScalarTag = { tag: 'tag:yaml.org,2002:str', default: true, test: /^\.$/, resolve: (text) => text };

/**
 * Maximum characters of all files together, and maximum number of included files. Typical files have a few kilobytes.
 */
const MAX_TEXT_LENGTH = 256 * 1024;
const MAX_INCLUDED_FILES = 100;

/** The YAML library would compare each key with all others, which is too slow for very many keys. */
const checkKeys = ({ items }: YAMLMap): void => {
  const seen = new Set<unknown>();
  for (const { key } of items) {
    const value = isScalar(key) ? key.value : key;
    if (seen.has(value)) throw new DetailError('duplicate_key', 'a mapping contains the same key twice');
    seen.add(value);
  }
};

/** Parses YAML as Ansible does. A duplicate key is refused, because parsers disagree on its meaning. */
const parseYaml = (text: string): unknown => {
  const document = parseDocument(text, {
    version: '1.1',
    schema: 'yaml-1.1',
    merge: true,
    uniqueKeys: false,
    customTags: (tags) => [DOT, ...tags],
  });
  const [error] = document.errors;
  if (error) throw error;
  visit(document, { Map: (_, map) => checkKeys(map) });
  return document.toJS({ maxAliasCount: 100 });
};

const invalid = (file: string, detail: OwnDetail | { readonly detail: string }): EndReason => ({
  code: 'requirements.invalid',
  params: { file, ...detail },
});

/** The requirements files of one checkout, which can include each other. */
class RequirementFiles {
  readonly #checkout: string;
  readonly #included = new Set<string>();
  #length = 0;

  constructor(checkout: string) {
    this.#checkout = checkout;
  }

  /** @throws PreparationError if the file cannot be read, or if all files together are too large */
  read(name: string): unknown {
    const path = insideCheckout(this.#checkout, name, 'The file of requirements');
    try {
      const text = readPlainText(path) ?? '';
      this.#length += text.length;
      if (this.#length <= MAX_TEXT_LENGTH) return parseYaml(text);
    } catch (error) {
      const why = detailOf(error);
      throw new PreparationError(
        'preparation',
        `The requirements of ${name} cannot be read as YAML: ${why.detail}`,
        invalid(name, why),
      );
    }
    throw new PreparationError(
      'preparation',
      'The requirements of the repository are longer than 256 KB in all.',
      invalid(name, ownDetail('files_too_long', 'longer than 256 KB in all')),
    );
  }

  /** The entries of an included file; none if the file was already included. */
  include(name: string): unknown {
    if (this.#included.has(name)) return undefined;
    this.#included.add(name);
    if (this.#included.size > MAX_INCLUDED_FILES) {
      throw new PreparationError(
        'preparation',
        `The requirements of the repository include more than ${MAX_INCLUDED_FILES} files.`,
        invalid(
          name,
          ownDetail('too_many_files', `more than ${MAX_INCLUDED_FILES} included files`, String(MAX_INCLUDED_FILES)),
        ),
      );
    }
    return this.read(name);
  }
}

const listOf = (value: unknown, name: string): unknown[] => {
  if (value === undefined || value === null) return [];
  if (Array.isArray(value)) return value;
  throw new PreparationError(
    'preparation',
    `The requirements of ${name} are not a list.`,
    invalid(name, ownDetail('not_list', 'not a list')),
  );
};

/** The entries of a file of roles, with the entries of included files. */
const rolesOf = (list: readonly unknown[], name: string, files: RequirementFiles): unknown[] =>
  list.flatMap((entry) => {
    if (!isRecord(entry) || !('include' in entry)) return [entry];
    const included = files.include(String(entry.include));
    const inside = listOf(included, String(entry.include));
    // Ansible includes one level, too.
    if (inside.some((one) => isRecord(one) && 'include' in one)) {
      throw new PreparationError(
        'preparation',
        `The requirements of ${name} include a file that includes others.`,
        invalid(name, ownDetail('nested_include', 'an included file includes others')),
      );
    }
    return inside;
  });

const SUBFOLDERS = ['', 'roles/', 'collections/'];

const readFileOf = (name: string, subfolder: string, files: RequirementFiles, rules: SourceRules): Requirements[] => {
  const content = files.read(name);
  const sections = isRecord(content) ? content : {};
  const roles =
    subfolder === 'collections/'
      ? []
      : rolesOf(listOf(isRecord(content) ? sections.roles : content, name), name, files);
  const collections = subfolder === 'roles/' ? [] : listOf(sections.collections, name);
  const found: Requirements[] = [
    { name, kind: 'role', list: roles.map((entry) => checkRole(entry, name, rules)) },
    { name, kind: 'collection', list: collections.map((entry) => checkCollection(entry, name, rules)) },
  ];
  return found.filter(({ list }) => list.length > 0);
};

/**
 * The requirements of a checkout, in the folders where Ansible's own tools expect them: the folder of the playbook, the
 * top folder, and `roles/` and `collections/` in both.
 * @throws PreparationError if a file cannot be read, is outside the checkout, or names a source that is not allowed
 */
export const findRequirements = (checkout: string, playbook: string, roots: readonly string[]): Requirements[] => {
  const top = realpathSync(checkout);
  const rules: SourceRules = { checkout: top, roots };
  const files = new RequirementFiles(top);
  const folders = [...new Set([dirname(playbook), top])].map((folder) => `${folder}/`.slice(top.length + 1));
  return folders.flatMap((folder) =>
    SUBFOLDERS.flatMap((subfolder) =>
      ['yml', 'yaml']
        .map((ending) => `${folder}${subfolder}requirements.${ending}`)
        .filter((name) => existsSync(join(top, name)))
        .flatMap((name) => readFileOf(name, subfolder, files, rules)),
    ),
  );
};
