import { z } from 'zod';

/** What the value of a fact is: a text, a number, or a number of megabytes. */
export type FactKind = 'text' | 'number' | 'megabytes';

/** How the fact of a host is compared with a value. */
export const FACT_OPERATORS = ['is', 'is_not', 'contains', 'at_least', 'at_most'] as const;
export type FactOperator = (typeof FACT_OPERATORS)[number];

const OF_NUMBERS = ['is', 'is_not', 'at_least', 'at_most'] as const;

/** The comparisons of each kind of fact. Texts have no order, numbers contain nothing. */
export const OPERATORS_OF_KIND: Readonly<Record<FactKind, readonly FactOperator[]>> = {
  text: ['is', 'is_not', 'contains'],
  number: OF_NUMBERS,
  megabytes: OF_NUMBERS,
};

/** Regular expression of the values with which numbers are compared. */
export const FACT_NUMBER = String.raw`^\d{1,15}(?:\.\d{1,6})?$`;

interface Fact {
  readonly kind: FactKind;
  readonly doc: string;
}

/**
 * The facts of a host that are kept, in the order in which they are shown. They describe what a host is: facts that change with
 * each run, such as the uptime, would make a version of each run.
 */
export const FACTS = {
  address: { kind: 'text', doc: 'The address of its default route.' },
  name: { kind: 'text', doc: 'Its full name.' },
  domain: { kind: 'text', doc: 'Its domain.' },
  os_family: {
    kind: 'text',
    doc: 'The kind of its system, which Ansible names `os_family`, such as `Debian` or `Windows`.',
  },
  distribution: { kind: 'text', doc: 'Its system with the major version, such as `Debian 12`.' },
  distribution_version: { kind: 'text', doc: 'The whole version of its system.' },
  edition: { kind: 'text', doc: 'The edition of Windows, such as `Server Core`.' },
  kernel: { kind: 'text', doc: 'The version of its kernel.' },
  architecture: { kind: 'text', doc: 'The architecture of its processors.' },
  model: { kind: 'text', doc: 'Hardware model, as the firmware reports it.' },
  virtualization: { kind: 'text', doc: 'Virtualization technology, such as `kvm`.' },
  processors: { kind: 'number', doc: 'Number of its processors.' },
  memory: { kind: 'megabytes', doc: 'Its memory in MB.' },
  swap: { kind: 'megabytes', doc: 'Its swap space in MB.' },
  python_version: { kind: 'text', doc: 'The version of Python that modules use.' },
  powershell_version: { kind: 'text', doc: 'The version of PowerShell that modules use.' },
  service_manager: { kind: 'text', doc: 'Service manager, such as `systemd`.' },
  package_manager: { kind: 'text', doc: 'Package manager, such as `apt`.' },
  time_zone: { kind: 'text', doc: 'Its time zone.' },
} as const satisfies Record<string, Fact>;

export type FactName = keyof typeof FACTS;
export const FACT_NAMES = Object.keys(FACTS) as readonly FactName[] as readonly [FactName, ...FactName[]];

type FactValue<N extends FactName> = (typeof FACTS)[N]['kind'] extends 'text' ? z.ZodString : z.ZodNumber;

/** Maximum number of characters of a value, and of mounts and interfaces. */
const MAX_VALUE = 1000;
const MAX_PARTS = 200;

const shapes = Object.fromEntries(
  Object.entries(FACTS).map(([name, { kind, doc }]) => [
    name,
    (kind === 'text' ? z.string().max(MAX_VALUE) : z.number()).optional().describe(doc),
  ]),
) as unknown as { [N in FactName]: z.ZodOptional<FactValue<N>> };

const parts = <V extends z.ZodType>(value: V) =>
  z
    .record(z.string().max(500), value)
    .refine((found) => Object.keys(found).length <= MAX_PARTS, 'too many parts')
    .optional();

export const MountFact = z.object({
  size: z.number().describe('Its size in bytes.'),
  free: z.number().optional().describe('Its free space in bytes, rounded to two digits.'),
});
export type MountFact = z.infer<typeof MountFact>;

/** The facts of a host. Facts that its system does not have are missing. */
export const HostFactValues = z.object({
  ...shapes,
  mounts: parts(MountFact).describe('Its mounts by folder.'),
  interfaces: parts(z.string().max(MAX_VALUE)).describe('The addresses of its network interfaces by name.'),
});
export type HostFactValues = z.infer<typeof HostFactValues>;
