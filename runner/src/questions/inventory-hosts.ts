import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { InventoryHosts } from '@signalbox/contract';
import type { Question } from '@signalbox/contract/link';
import { z } from 'zod';
import { accessRepository, checkOut } from '../git/checkout.ts';
import type { GitOptions } from '../git/git.ts';
import { inventoryPath } from '../prepare/inventory-file.ts';
import { PreparationFault } from '../prepare/preparation-fault.ts';
import type { Workshop } from '../prepare/prepare.ts';
import { findProgram } from '../process/find-program.ts';
import { RUN_MARKER } from '../process/process-table.ts';
import { runProgram } from '../process/program.ts';
import type { RunPlace } from '../runs/run-place.ts';

type HostsQuestion = Extract<Question, { ask: 'hosts' }>;

/** Ten thousand hosts with many variables each; what is longer is no inventory that a person asks for by name. */
const MAX_LISTING = 64 * 1024 * 1024;

const Group = z.object({ hosts: z.array(z.string()).default([]), children: z.array(z.string()).default([]) });
/** What `ansible-inventory --list` prints: groups by name, and the variables of hosts, which are nobody's business. */
const Listing = z.record(z.string(), z.unknown());

/** The names in a listing: every host once, and each group with the hosts of the groups below it. */
export const namesOf = (listing: z.infer<typeof Listing>): InventoryHosts => {
  const groups = new Map(
    Object.entries(listing).flatMap(([name, value]) => {
      const group = name === '_meta' ? undefined : Group.safeParse(value).data;
      return group ? [[name, group] as const] : [];
    }),
  );
  const hostsOf = (name: string, above: ReadonlySet<string>): string[] => {
    const group = groups.get(name);
    if (!group || above.has(name)) return [];
    const path = new Set([...above, name]);
    return [...group.hosts, ...group.children.flatMap((child) => hostsOf(child, path))];
  };
  const listed = [...groups.keys()].map((name) => ({ name, hosts: [...new Set(hostsOf(name, new Set()))].sort() }));
  return {
    hosts: [...new Set(listed.flatMap(({ hosts }) => hosts))].sort(),
    groups: listed.filter(({ name, hosts }) => name !== 'all' && (name !== 'ungrouped' || hosts.length > 0)),
  };
};

/** What Ansible says of a file that it cannot decrypt, on lines of 80 characters. */
const NO_VAULT_SECRETS = /no\s+vault\s+secrets/i;

/** Leaves the files of variables beside an inventory unread. */
const NO_VARIABLES = { ANSIBLE_VARS_ENABLED: '' };

/** Which of Ansible's readers has the most to say of what is wrong with a text. */
const READER: Readonly<Record<HostsQuestion['inventory']['type'], string>> = {
  static: ' with ini plugin: ',
  'static-yaml': ' with yaml plugin: ',
  file: ' plugin: ',
};

/** The path of a folder wherever Ansible may have broken its line in it. */
const brokenPath = (folder: string): RegExp =>
  new RegExp([...folder, '/'].map((character) => RegExp.escape(character)).join(' ?'), 'g');

/**
 * Why an inventory cannot be read, without the folder of the question. Ansible warns of each of its readers that failed,
 * on lines of 80 characters.
 */
const reasonOf = (stderr: string, { inventory }: HostsQuestion, folder: string): string => {
  const said = stderr.split(/\n(?=\[|ERROR!)/).map((part) => part.replace(/\s+/g, ' ').trim());
  const reader = READER[inventory.type];
  const telling = said.find((part) => part.includes(reader)) ?? said.find((part) => part.startsWith('ERROR!'));
  const reason = telling?.split(reader).at(-1) ?? said.find((part) => part !== '');
  return (reason ?? 'ansible-inventory failed').replace(brokenPath(folder), '').slice(0, 300).replace(/\.$/, '');
};

const bringCode = async (
  { repository }: HostsQuestion,
  workshop: Workshop,
  place: RunPlace,
  options: GitOptions,
): Promise<void> => {
  if (repository === null) {
    await mkdir(place.checkout);
    return;
  }
  const accessed = await accessRepository(repository, workshop, join(place.secrets, 'git'), options);
  try {
    await checkOut(repository, null, accessed, workshop, place.checkout);
  } finally {
    await accessed.close();
  }
};

/**
 * Lists the hosts and groups of an inventory by name, as Ansible itself reads it.
 * @param place that is the question's own and goes with it
 * @throws PreparationFault in one sentence for whoever asked
 */
export const inventoryHosts = async (
  question: HostsQuestion,
  workshop: Workshop,
  place: RunPlace,
  options: GitOptions,
): Promise<InventoryHosts> => {
  const file = findProgram('ansible-inventory', workshop.base.PATH ?? '');
  if (file === undefined) {
    throw new PreparationFault('preparation', 'ansible-inventory is not installed on the runner.');
  }
  await bringCode(question, workshop, place, options);
  const { checkout, secrets, temporary } = place;
  const path = await inventoryPath(question.inventory, {
    folder: secrets,
    checkout,
    roots: workshop.roots,
  });
  await place.handOver(options.signal);
  const until = performance.now() + (options.timeoutMs ?? 0);
  const list = (more: Record<string, string> = {}) =>
    runProgram(file, ['--list', '-i', path], {
      cwd: checkout,
      env: {
        ...place.environment(workshop.base),
        [RUN_MARKER]: options.env[RUN_MARKER] ?? '',
        LC_ALL: 'C.UTF-8',
        LANGUAGE: '',
        ANSIBLE_LOCAL_TEMP: temporary,
        ANSIBLE_NOCOLOR: '1',
        // It would list no hosts and call that a success.
        ANSIBLE_INVENTORY_UNPARSED_FAILED: '1',
        ...more,
      },
      timeoutMs: Math.max(until - performance.now(), 1),
      signal: options.signal,
      maxOutput: MAX_LISTING,
      user: place.user,
    });
  let end = await list();
  // No question has the vault's password. Names can do without variables, unless groups are made from them.
  if (end.fault === null && end.code !== 0 && NO_VAULT_SECRETS.test(end.stderr)) end = await list(NO_VARIABLES);
  const failing = (why: string) => new PreparationFault('preparation', `The inventory cannot be read: ${why}.`);
  if (end.fault === 'timeout') throw failing('it took too long');
  if (end.code !== 0) throw failing(reasonOf(end.stderr, question, place.path));
  let printed: unknown;
  try {
    printed = JSON.parse(end.stdout);
  } catch {
    throw failing('what ansible-inventory printed is not what it usually prints');
  }
  return namesOf(Listing.parse(printed));
};
