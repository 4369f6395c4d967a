import { existsSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parse, type ScalarTag } from 'yaml';
import { insideCheckout } from './inside-checkout.ts';
import { readPlainText } from './plain-text-file.ts';
import { PreparationFault } from './preparation-fault.ts';
import { checkCollection, checkRole, type Requirement, type SourceRules } from './requirement-source.ts';

/** What is to be installed of one kind, from one file. */
export interface Requirements {
  /** The file's path below the checkout. */
  name: string;
  kind: 'role' | 'collection';
  list: Requirement[];
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A lone dot, which names the checkout: the library takes it for a number, and Ansible's reader does not. */
const DOT: ScalarTag = { tag: 'tag:yaml.org,2002:str', default: true, test: /^\.$/, resolve: (text) => text };

/** Reads YAML as Ansible's own reader does; a key that stands twice would mean different things to different readers. */
const readYaml = (checkout: string, name: string): unknown => {
  const path = insideCheckout(checkout, name, 'The file of requirements');
  try {
    return parse(readPlainText(path) ?? '', {
      version: '1.1',
      schema: 'yaml-1.1',
      merge: true,
      maxAliasCount: 100,
      customTags: (tags) => [DOT, ...tags],
    });
  } catch (fault) {
    const why = fault instanceof Error ? fault.message.split('\n', 1)[0] : '';
    throw new PreparationFault('preparation', `The requirements of ${name} cannot be read as YAML: ${why}`);
  }
};

const listOf = (value: unknown, name: string): unknown[] => {
  if (value === undefined || value === null) return [];
  if (Array.isArray(value)) return value;
  throw new PreparationFault('preparation', `The requirements of ${name} are not a list.`);
};

/** The entries of a file of roles; other files that it includes are read in its place. */
const rolesOf = (list: readonly unknown[], name: string, rules: SourceRules): unknown[] =>
  list.flatMap((entry) => {
    if (!isRecord(entry) || !('include' in entry)) return [entry];
    const included = readYaml(rules.checkout, String(entry.include));
    const inside = listOf(included, String(entry.include));
    // Ansible reads one level, too.
    if (inside.some((one) => isRecord(one) && 'include' in one)) {
      throw new PreparationFault('preparation', `The requirements of ${name} include a file that includes others.`);
    }
    return inside;
  });

const PLACES = ['', 'roles/', 'collections/'];

const readFileOf = (name: string, place: string, rules: SourceRules): Requirements[] => {
  const content = readYaml(rules.checkout, name);
  const sections = isRecord(content) ? content : {};
  const roles =
    place === 'collections/' ? [] : rolesOf(listOf(isRecord(content) ? sections.roles : content, name), name, rules);
  const collections = place === 'roles/' ? [] : listOf(sections.collections, name);
  const found: Requirements[] = [
    { name, kind: 'role', list: roles.map((entry) => checkRole(entry, name, rules)) },
    { name, kind: 'collection', list: collections.map((entry) => checkCollection(entry, name, rules)) },
  ];
  return found.filter(({ list }) => list.length > 0);
};

/**
 * The requirements of a checkout, in the places where Ansible's own tools keep them: beside the playbook and at the top,
 * and there in `roles/` and `collections/`.
 * @throws PreparationFault when a file cannot be read, is outside the checkout, or names what it may not
 */
export const findRequirements = (checkout: string, playbook: string, roots: readonly string[]): Requirements[] => {
  const top = realpathSync(checkout);
  const rules: SourceRules = { checkout: top, roots };
  const folders = [...new Set([dirname(playbook), top])].map((folder) => `${folder}/`.slice(top.length + 1));
  return folders.flatMap((folder) =>
    PLACES.flatMap((place) =>
      ['yml', 'yaml']
        .map((ending) => `${folder}${place}requirements.${ending}`)
        .filter((name) => existsSync(join(top, name)))
        .flatMap((name) => readFileOf(name, place, rules)),
    ),
  );
};
