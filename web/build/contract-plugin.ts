import {
  ACTIVE_STATUSES,
  ADMIN_WAITING_REASONS,
  AppName,
  appOf,
  BEFORE_HOSTS,
  EndReasonCode,
  FACT_NUMBER,
  FACT_OPERATORS,
  FACTS,
  FINAL_STATUSES,
  HOST_RESULTS,
  HOST_STATES,
  MAX_ACTIVE_TASKS,
  MAX_FOLLOWED,
  MAX_HITS,
  MAX_LIMIT,
  MAX_LOG_LINES,
  MAX_REGISTRATIONS,
  MAX_SELECTED,
  MIN_RUNS,
  OPERATORS_OF_KIND,
  OUTCOMES,
  PERMISSION,
  ROUTE_TABLE,
  TASK_STATUSES,
} from '@signalbox/contract';
import type { Plugin } from 'vite';

const ID = 'virtual:routes';
const RESOLVED = `\0${ID}`;

/** What the page needs of each app. */
const APPS = Object.fromEntries(
  AppName.options.map((name) => {
    const { title, features } = appOf(name);
    return [name, { title, features }];
  }),
);

const constants = {
  APPS,
  ROUTES: Object.fromEntries(Object.entries(ROUTE_TABLE).map(([name, { method, path }]) => [name, { method, path }])),
  TASK_STATUSES,
  FINAL_STATUSES,
  ACTIVE_STATUSES,
  ADMIN_WAITING_REASONS,
  FACT_NUMBER,
  FACT_OPERATORS,
  OPERATORS_OF_KIND,
  HOST_RESULTS,
  HOST_STATES,
  PERMISSION,
  BEFORE_HOSTS,
  END_REASON_CODES: EndReasonCode.options,
  FACT_KINDS: Object.fromEntries(Object.entries(FACTS).map(([name, { kind }]) => [name, kind])),
  MAX_ACTIVE_TASKS,
  MAX_FOLLOWED,
  MAX_HITS,
  MAX_LIMIT,
  MAX_LOG_LINES,
  MAX_REGISTRATIONS,
  MAX_SELECTED,
  MIN_RUNS,
  OUTCOMES,
};

/**
 * Makes the constants of the contract that the page needs at run time available as plain data at build time. The page
 * never loads the schemas or the schema library; it imports only types from the contract.
 */
export const contractPlugin = (): Plugin => ({
  name: 'signalbox:contract',
  resolveId: (id) => (id === ID ? RESOLVED : undefined),
  load: (id) =>
    id === RESOLVED
      ? Object.entries(constants)
          .map(([name, value]) => `export const ${name} = ${JSON.stringify(value)};`)
          .join('\n')
      : undefined,
});
