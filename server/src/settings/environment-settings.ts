import { EnvironmentKind, ExecutionEnvironment, SYSTEM_ENVIRONMENT } from '@signalbox/contract';
import { z } from 'zod';
import type { EnvironmentRules } from '../execution-environments.ts';

const KINDS = `must be one or more of ${EnvironmentKind.options.join(', ')}, separated by commas`;
const DEFAULT = 'must be an execution environment in JSON, such as {"kind":"system"}';

const Kinds = z
  .string()
  .transform((text) => [...new Set(text.split(',').map((kind) => kind.trim()))])
  .pipe(z.array(z.enum(EnvironmentKind.options, KINDS)));

/** An object in the file, and its JSON in the environment. */
const OneEnvironment = z
  .unknown()
  .transform((value) => {
    if (typeof value !== 'string') return value;
    try {
      return JSON.parse(value) as unknown;
    } catch {
      return undefined;
    }
  })
  .refine((value) => ExecutionEnvironment.safeParse(value).success, DEFAULT)
  .transform((value) => ExecutionEnvironment.parse(value));

/** Settings of where the programs of runs come from. */
export const ENVIRONMENT_SETTINGS = {
  SIGNALBOX_EXECUTION_ENVIRONMENTS: Kinds.default(() => [...EnvironmentKind.options]),
  SIGNALBOX_DEFAULT_EXECUTION_ENVIRONMENT: OneEnvironment.default(SYSTEM_ENVIRONMENT),
};

const Given = z.object(ENVIRONMENT_SETTINGS);

export const environmentRules = (s: z.output<typeof Given>): EnvironmentRules => ({
  allowed: s.SIGNALBOX_EXECUTION_ENVIRONMENTS,
  default: s.SIGNALBOX_DEFAULT_EXECUTION_ENVIRONMENT,
});

/** The default must be allowed, because projects without an execution environment of their own could run nothing. */
export const environmentErrors = (s: z.output<typeof Given>): string[] => {
  const { allowed, default: own } = environmentRules(s);
  if (allowed.includes(own.kind)) return [];
  return [`SIGNALBOX_DEFAULT_EXECUTION_ENVIRONMENT: its kind is not one of SIGNALBOX_EXECUTION_ENVIRONMENTS`];
};
