import type { InventoryHosts, OwnReason } from '@signalbox/contract';
import { z } from 'zod';
import { systemPrograms } from '../../environments/system.ts';
import { shortened } from '../../errors/preparation-error.ts';
import { QueryError } from '../../errors/query-error.ts';
import { accessRepository, checkOut } from '../../git/checkout.ts';
import type { GitOptions } from '../../git/git.ts';
import { RUN_MARKER } from '../../process/process-table.ts';
import { runReaped } from '../../process/reaped-program.ts';
import type { RunnerContext } from '../../workspace/runner-context.ts';
import type { OwnedWorkspace } from '../../workspace/workspace.ts';
import type { HostsQuery } from '../app.ts';
import { inventoryPath } from './inventory-file.ts';

/** Maximum bytes of a listing: ten thousand hosts with many variables each. */
const MAX_LISTING = 64 * 1024 * 1024;

const Group = z.object({ hosts: z.array(z.string()).default([]), children: z.array(z.string()).default([]) });
/**
 * The output of `ansible-inventory --list`: groups by name, and the variables of hosts, which must not leave the
 * runner.
 */
const Listing = z.record(z.string(), z.unknown());

type Groups = ReadonlyMap<string, z.infer<typeof Group>>;
type NamedGroups = InventoryHosts['groups'];

/** Maximum host names over all groups, and maximum bytes of an answer as JSON, which must be below MAX_RUNNER_FRAME. */
const MAX_NAMES = 200_000;
const MAX_ANSWER = 2.5 * 1024 * 1024;
/**
 * Maximum number of hosts and groups that are visited while groups are resolved: about a second, for which all runs
 * wait.
 */
const MAX_STEPS = 2_000_000;
/** Maximum number of characters of a reason in an answer. */
const MAX_REASON = 300;

/** Each group with its own hosts and those of its child groups; undefined if that is too much. */
const withAllBelow = (groups: Groups): NamedGroups | undefined => {
  const named: NamedGroups = [];
  let [steps, names] = [0, 0];
  for (const name of groups.keys()) {
    const hosts = new Set<string>();
    const below = new Set([name]);
    // Each group is visited once: iterating over a set includes items that are added meanwhile.
    for (const one of below) {
      const group = groups.get(one);
      for (const host of group?.hosts ?? []) hosts.add(host);
      for (const child of group?.children ?? []) below.add(child);
      steps += 1 + (group?.hosts.length ?? 0) + (group?.children.length ?? 0);
      if (steps > MAX_STEPS) return undefined;
    }
    names += hosts.size;
    if (names > MAX_NAMES) return undefined;
    named.push({ name, hosts: [...hosts].sort() });
  }
  return named;
};

const withTheirOwn = (groups: Groups): NamedGroups =>
  [...groups].map(([name, { hosts }]) => ({ name, hosts: [...new Set(hosts)].sort() }));

const fits = ({ hosts, groups }: InventoryHosts): boolean => {
  const bytesOf = (name: string) => Buffer.byteLength(JSON.stringify(name)) + 1;
  const sizes = new Map(hosts.map((host) => [host, bytesOf(host)]));
  const sum = (names: readonly string[]) => names.reduce((bytes, name) => bytes + (sizes.get(name) ?? 0), 0);
  const frame = '{"name":,"hosts":[]},'.length;
  return (
    groups.reduce((bytes, { name, hosts }) => bytes + frame + bytesOf(name) + sum(hosts), sum(hosts)) <= MAX_ANSWER
  );
};

/**
 * The names in a listing: every host once, and each group with the hosts of its child groups. If these are too many,
 * each group has only its direct hosts.
 * @throws PreparationError if that also exceeds the size of an answer
 */
export const namesOf = (listing: z.infer<typeof Listing>): InventoryHosts => {
  const groups = new Map(
    Object.entries(listing).flatMap(([name, value]) => {
      const group = name === '_meta' ? undefined : Group.safeParse(value).data;
      return group ? [[name, group] as const] : [];
    }),
  );
  const hosts = [...new Set([...groups.values()].flatMap((group) => group.hosts))].sort();
  const isShown = ({ name, hosts }: NamedGroups[number]) =>
    name !== 'all' && (name !== 'ungrouped' || hosts.length > 0);
  for (const find of [withAllBelow, withTheirOwn]) {
    const named = find(groups);
    const answer = named && { hosts, groups: named.filter(isShown) };
    if (answer && fits(answer)) return answer;
  }
  throw new QueryError('The inventory has more hosts and groups than can be listed.', {
    code: 'query.too_many_names',
    params: {},
  });
};

/** Ansible's message about a file that it cannot decrypt, on lines of 80 characters. */
const NO_VAULT_SECRETS = /no\s+vault\s+secrets/i;

/** Makes Ansible ignore the variable files next to an inventory. */
const NO_VARIABLES = { ANSIBLE_VARS_ENABLED: '' };

/** The text before the reason in the warning of the parser that gives the most useful error for a type of inventory. */
const READER: Readonly<Record<HostsQuery['inventory']['type'], string>> = {
  static: ' with ini plugin: ',
  'static-yaml': ' with yaml plugin: ',
  file: ' plugin: ',
};

/** A pattern for the path of a folder in which Ansible may have inserted line breaks. */
const brokenPath = (folder: string): RegExp =>
  new RegExp([...folder, '/'].map((character) => RegExp.escape(character)).join(' ?'), 'g');

/**
 * Why an inventory cannot be read, without the folder of the query. Ansible prints a warning for each parser that
 * failed, on lines of 80 characters.
 */
const reasonOf = (stderr: string, { inventory }: HostsQuery, folder: string): string | undefined => {
  const messages = stderr.split(/\n(?=\[|ERROR!)/).map((part) => part.replace(/\s+/g, ' ').trim());
  const reader = READER[inventory.type];
  const warning = messages.find((part) => part.includes(reader)) ?? messages.find((part) => part.startsWith('ERROR!'));
  const reason = warning?.split(reader).at(-1) ?? messages.find((part) => part !== '');
  return reason && shortened(reason.replace(brokenPath(folder), ''), MAX_REASON).replace(/\.$/, '');
};

const fetchCode = async (
  { repository }: HostsQuery,
  context: RunnerContext,
  { secrets, checkout }: OwnedWorkspace,
  options: GitOptions,
): Promise<void> => {
  if (repository === null) {
    await checkout.create();
    return;
  }
  const accessed = await accessRepository(repository, context, secrets.folder('git'), options);
  try {
    await checkOut(repository, null, accessed, context, checkout);
  } finally {
    await accessed.close();
  }
};

/**
 * Lists the hosts and groups of an inventory by name, as Ansible reads it.
 * @throws PreparationError
 */
export const inventoryHosts = async (
  query: HostsQuery,
  context: RunnerContext,
  owned: OwnedWorkspace,
  options: GitOptions,
): Promise<InventoryHosts> => {
  const environment = systemPrograms(context.base);
  const file = environment.program('ansible-inventory');
  await fetchCode(query, context, owned, options);
  const path = await inventoryPath(query.inventory, owned, context.roots);
  const { paths } = await owned.release(options.signal);
  const { checkout, temporary } = paths;
  const until = performance.now() + (options.timeoutMs ?? 0);
  const list = (more: Record<string, string> = {}) =>
    runReaped(file, ['--list', '-i', path], {
      base: context.base,
      cwd: checkout,
      env: {
        ...paths.environment(context.base),
        [RUN_MARKER]: options.env[RUN_MARKER] ?? '',
        LC_ALL: 'C.UTF-8',
        LANGUAGE: '',
        ANSIBLE_LOCAL_TEMP: temporary,
        ANSIBLE_NOCOLOR: '1',
        // A repository's `cowsay` setting could run a program outside the supervisor.
        ANSIBLE_NOCOWS: '1',
        // Otherwise Ansible would list no hosts and exit with success.
        ANSIBLE_INVENTORY_UNPARSED_FAILED: '1',
        ...more,
      },
      timeoutMs: Math.max(until - performance.now(), 1),
      signal: options.signal,
      maxOutput: MAX_LISTING,
      user: paths.user,
    });
  let end = await list();
  // Queries have no vault password. Names can be listed without variables, unless groups are made from variables.
  if (end.error === null && end.code !== 0 && NO_VAULT_SECRETS.test(end.stderr)) end = await list(NO_VARIABLES);
  const failing = (detail: string, reason: OwnReason = { code: 'query.inventory_unreadable', params: { detail } }) =>
    new QueryError(`The inventory cannot be read: ${detail}.`, reason);
  if (end.error === 'timeout') throw failing('it took too long', { code: 'query.inventory_too_slow', params: {} });
  const failed = () =>
    failing('ansible-inventory printed no usable output', { code: 'query.inventory_output_invalid', params: {} });
  if (end.code !== 0) {
    const printed = reasonOf(end.stderr, query, paths.path);
    throw printed ? failing(printed) : failed();
  }
  let printed: unknown;
  try {
    printed = JSON.parse(end.stdout);
  } catch {
    throw failed();
  }
  return namesOf(Listing.parse(printed));
};
