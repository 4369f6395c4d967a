import { setTimeout as delay } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import { StartError } from '../start-error.ts';
import { isUsable, type Requirements, storeRequirement } from './compatibility.ts';
import type { Database, Logs } from './database.ts';
import type { Capabilities } from './dialects/capabilities.ts';
import { foundation } from './migrations/0001-foundation.ts';
import { logs } from './migrations/0001-logs.ts';
import { results } from './migrations/0002-results.ts';
import { tokensAndSecrets } from './migrations/0002-tokens-and-secrets.ts';
import { schedules } from './migrations/0003-schedules.ts';
import { listsAndRetention } from './migrations/0004-lists-and-retention.ts';
import { runnerNames } from './migrations/0005-runner-names.ts';
import { unreachableRunners } from './migrations/0006-unreachable-runners.ts';
import { hosts } from './migrations/0007-host-ledger.ts';
import { deletedUsers } from './migrations/0008-deleted-users.ts';
import { idsOnce } from './migrations/0009-ids-once.ts';
import { forcedStops } from './migrations/0010-forced-stops.ts';
import { runnerQueries } from './migrations/0011-questions.ts';
import { identities } from './migrations/0012-identities.ts';
import { alerts } from './migrations/0013-alerts.ts';
import { secondFactors } from './migrations/0014-second-factors.ts';
import { leaseSecret } from './migrations/0015-lease-secret.ts';
import { signInAttempts } from './migrations/0016-sign-in-attempts.ts';
import { provenAddresses } from './migrations/0017-proven-addresses.ts';
import { tokenExpiry } from './migrations/0019-token-expiry.ts';
import { lostAtImport } from './migrations/0020-lost-at-import.ts';
import { taskFailures } from './migrations/0022-task-failures.ts';
import { runnerProcesses } from './migrations/0023-runner-processes.ts';
import { allIdsOnce } from './migrations/0025-all-ids-once.ts';
import { serverKeys } from './migrations/0025-server-keys.ts';
import { taskOrigins } from './migrations/0026-task-origins.ts';
import { addressProofs } from './migrations/0028-address-proofs.ts';
import { endReasons } from './migrations/0035-end-reasons.ts';
import { eventKinds } from './migrations/0036-event-kinds.ts';
import { apps } from './migrations/0037-apps.ts';
import { outbox } from './migrations/0038-outbox.ts';
import { columnNames } from './migrations/0039-column-names.ts';
import { surveyTypes } from './migrations/0040-survey-types.ts';
import { tokenScopes } from './migrations/0041-token-scopes.ts';
import { auditExport } from './migrations/0042-audit-export.ts';
import { scheduleObjects } from './migrations/0044-schedule-objects.ts';
import { scheduleValues } from './migrations/0045-schedule-values.ts';
import { runOptions } from './migrations/0047-run-options.ts';
import { webhooks } from './migrations/0051-webhooks.ts';
import { labels } from './migrations/0053-labels.ts';
import { freezeWindows } from './migrations/0055-freeze-windows.ts';
import { scheduleAlerts } from './migrations/0056-schedule-alerts.ts';
import { savedLaunches } from './migrations/0057-saved-launches.ts';
import { webhookSecrets } from './migrations/0058-webhook-secrets.ts';
import { roles } from './migrations/0059-roles.ts';
import { grants } from './migrations/0060-grants.ts';
import { choiceSources } from './migrations/0061-choice-sources.ts';
import { restrictedEvents } from './migrations/0063-restricted-events.ts';
import { runnerTags } from './migrations/0064-runner-tags.ts';
import { savedFilters } from './migrations/0065-saved-filters.ts';
import { tokensOfTasks } from './migrations/0066-tokens-of-tasks.ts';
import { approvals } from './migrations/0067-approvals.ts';
import { permittedStarts } from './migrations/0068-permitted-starts.ts';
import { relayedQueries } from './migrations/0069-relayed-queries.ts';
import { runnerPools } from './migrations/0070-runner-pools.ts';
import { runnerRegistrations } from './migrations/0071-runner-registrations.ts';
import { projectTurn } from './migrations/0072-project-turn.ts';
import { lastBackup } from './migrations/0075-last-backup.ts';
import { locks } from './migrations/0076-locks.ts';
import { executionEnvironments } from './migrations/0077-execution-environments.ts';
import { migrationRequirements } from './migrations/0079-migration-requirements.ts';
import { failures } from './migrations/0080-failures.ts';
import { logStore } from './migrations/0082-log-store.ts';
import { failureTitles } from './migrations/0083-failure-titles.ts';
import { runTimes } from './migrations/0085-run-times.ts';
import { hostLocks } from './migrations/0086-host-locks.ts';
import { silentHosts } from './migrations/0088-silent-hosts.ts';
import { failureAssignments } from './migrations/0089-failure-assignments.ts';
import { publicLinks } from './migrations/0090-public-links.ts';
import { publicTaskIndexes } from './migrations/0091-public-task-indexes.ts';
import { hostTemplates } from './migrations/0092-host-templates.ts';
import { hostFacts } from './migrations/0093-host-facts.ts';
import { hostList } from './migrations/0094-host-list.ts';
import { listedHosts } from './migrations/0095-listed-hosts.ts';
import { projectRetention } from './migrations/0096-project-retention.ts';
import { keptTasks } from './migrations/0097-kept-tasks.ts';
import { storageUse } from './migrations/0098-storage-use.ts';
import { taskVersions } from './migrations/0099-task-versions.ts';
import { slowerTemplates } from './migrations/0100-slower-templates.ts';
import { inputsAndFixes } from './migrations/0101-inputs-and-fixes.ts';
import { templateArguments } from './migrations/0102-template-arguments.ts';
import { daysOfFilters } from './migrations/0103-days-of-filters.ts';
import { openHosts } from './migrations/0107-open-hosts.ts';
import { REQUIREMENTS } from './migrations/requirements.ts';

export type Step = (
  db: Kysely<unknown>,
  columns: Capabilities['columns'],
  capabilities: Pick<Capabilities, 'neverReuseIds' | 'neverReuseAnyId'>,
) => Promise<void>;

export type Steps = Readonly<Record<string, Step>>;

/** Steps in the order of their names. A released step is never edited. */
export const STATE_STEPS: Steps = {
  '0001-foundation': foundation,
  '0002-tokens-and-secrets': tokensAndSecrets,
  '0003-schedules': schedules,
  '0004-lists-and-retention': listsAndRetention,
  '0005-runner-names': runnerNames,
  '0006-unreachable-runners': unreachableRunners,
  '0007-host-ledger': hosts,
  '0008-deleted-users': deletedUsers,
  '0009-ids-once': idsOnce,
  '0010-forced-stops': forcedStops,
  '0011-questions': runnerQueries,
  '0012-identities': identities,
  '0013-alerts': alerts,
  '0014-second-factors': secondFactors,
  '0015-lease-secret': leaseSecret,
  '0016-sign-in-attempts': signInAttempts,
  '0017-proven-addresses': provenAddresses,
  '0019-token-expiry': tokenExpiry,
  '0020-lost-at-import': lostAtImport,
  '0022-task-failures': taskFailures,
  '0023-runner-processes': runnerProcesses,
  '0025-all-ids-once': allIdsOnce,
  '0025-server-keys': serverKeys,
  '0026-task-origins': taskOrigins,
  '0028-address-proofs': addressProofs,
  '0035-end-reasons': endReasons,
  '0036-event-kinds': eventKinds,
  '0037-apps': apps,
  '0038-outbox': outbox,
  '0039-column-names': columnNames,
  '0040-survey-types': surveyTypes,
  '0041-token-scopes': tokenScopes,
  '0042-audit-export': auditExport,
  '0044-schedule-objects': scheduleObjects,
  '0045-schedule-values': scheduleValues,
  '0047-run-options': runOptions,
  '0051-webhooks': webhooks,
  '0053-labels': labels,
  '0055-freeze-windows': freezeWindows,
  '0056-schedule-alerts': scheduleAlerts,
  '0057-saved-launches': savedLaunches,
  '0058-webhook-secrets': webhookSecrets,
  '0059-roles': roles,
  '0060-grants': grants,
  '0061-choice-sources': choiceSources,
  '0063-restricted-events': restrictedEvents,
  '0064-runner-tags': runnerTags,
  '0065-saved-filters': savedFilters,
  '0066-tokens-of-tasks': tokensOfTasks,
  '0067-approvals': approvals,
  '0068-permitted-starts': permittedStarts,
  '0069-relayed-queries': relayedQueries,
  '0070-runner-pools': runnerPools,
  '0071-runner-registrations': runnerRegistrations,
  '0072-project-turn': projectTurn,
  '0075-last-backup': lastBackup,
  '0076-locks': locks,
  '0077-execution-environments': executionEnvironments,
  '0079-migration-requirements': migrationRequirements,
  '0080-failures': failures,
  '0082-log-store': logStore,
  '0083-failure-titles': failureTitles,
  '0085-run-times': runTimes,
  '0086-host-locks': hostLocks,
  '0088-silent-hosts': silentHosts,
  '0089-failure-assignments': failureAssignments,
  '0090-public-links': publicLinks,
  '0091-public-task-indexes': publicTaskIndexes,
  '0092-host-templates': hostTemplates,
  '0093-host-facts': hostFacts,
  '0094-host-list': hostList,
  '0095-listed-hosts': listedHosts,
  '0096-project-retention': projectRetention,
  '0097-kept-tasks': keptTasks,
  '0098-storage-use': storageUse,
  '0099-task-versions': taskVersions,
  '0100-slower-templates': slowerTemplates,
  '0101-inputs-and-fixes': inputsAndFixes,
  '0102-template-arguments': templateArguments,
  '0103-days-of-filters': daysOfFilters,
  '0107-open-hosts': openHosts,
};
export const LOG_STEPS: Steps = { '0001-logs': logs, '0002-results': results };

/** Names of the completed steps, in order; none in an empty database. */
export const completedSteps = async (db: Kysely<unknown>, table: string): Promise<string[]> => {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true });
  if (!tables.some(({ name }) => name === table)) return [];
  const { rows } = await sql<{ name: string }>`select name from ${sql.table(table)} order by name`.execute(db);
  return rows.map(({ name }) => name);
};

interface Part {
  readonly db: Kysely<unknown>;
  /** The table that lists the completed steps. */
  readonly table: string;
  readonly steps: Steps;
  /** Without it, a database with newer steps is refused. */
  readonly requirements: Requirements | undefined;
}

export const newerVersionError = (): StartError =>
  new StartError('A newer version of Signalbox has migrated the database. Start that version, or restore a backup.');

/**
 * Returns the first missing step, and whether the database is empty.
 * @throws StartError when newer steps require a newer version
 */
const check = async ({ db, table, steps, requirements }: Part) => {
  const done = await completedSteps(db, table);
  const others = done.filter((name) => !(name in steps));
  const missing = Object.keys(steps)
    .toSorted()
    .find((name) => !done.includes(name));
  const canUse = async () => requirements !== undefined && (await isUsable(db, others, (name) => name in steps));
  if (others.length > 0 && (missing !== undefined || !(await canUse()))) throw newerVersionError();
  return { missing, isEmpty: done.length === 0 };
};

/** Migrates one database. All missing steps run in one transaction, so a killed migration has no effect. */
const migrate = async (part: Part, capabilities: Capabilities): Promise<void> => {
  const { db, table, steps, requirements = {} } = part;
  const migrations = Object.entries(steps).map(([name, step]): [string, Migration] => [
    name,
    {
      up: async (tx) => {
        await step(tx, capabilities.columns, capabilities);
        await storeRequirement(tx, name, requirements[name]);
      },
    },
  ]);
  const migrator = new Migrator({
    db,
    provider: { getMigrations: () => Promise.resolve(Object.fromEntries(migrations)) },
    migrationTableName: table,
    migrationLockTableName: `${table}_lock`,
  });
  const { error } = await migrator.migrateToLatest();
  if (!error) return;
  if (!(error instanceof Error && error.message.startsWith('corrupted migrations'))) throw error;
  // A newer version has migrated the database after the check.
  if ((await check(part)).missing !== undefined) throw newerVersionError();
};

/** Whether this version can use a database, which newer versions may have migrated meanwhile. */
export const supportsSchema = async ({ autocommit }: Pick<Database, 'autocommit'>): Promise<boolean> => {
  const db = autocommit as unknown as Kysely<unknown>;
  const { rows } = await sql<{ name: string }>`select name from migration`.execute(db);
  const others = rows.map(({ name }) => name).filter((name) => !(name in STATE_STEPS));
  return await isUsable(db, others, (name) => name in STATE_STEPS);
};

/** How long a start waits while another process migrates the same file, in milliseconds. */
const BUSY_WAIT_MS = 60_000;
const RETRY_MS = 100;

/** Repeats the work while another process holds the file. */
const whenFree = async <T>({ isBusy }: Capabilities, work: () => Promise<T>): Promise<T> => {
  const until = performance.now() + BUSY_WAIT_MS;
  for (;;)
    try {
      return await work();
    } catch (error) {
      if (!isBusy(error)) throw error;
      if (performance.now() > until)
        throw new StartError(
          'Another process has held the database for more than a minute, as a long migration does. Wait until it ends, and start again.',
        );
      await delay(RETRY_MS);
    }
};

/**
 * Migrates the state and the logs. Database files with data are copied before the first step. Waits up to a minute
 * while another process migrates them.
 * @throws StartError when a newer version made the database, or when the disk has no space for the copies
 */
export const migrateAll = async (
  { autocommit, capabilities }: Database,
  logsFile: Logs | undefined,
  steps: { readonly state?: Steps; readonly logs?: Steps; readonly requirements?: Requirements } = {},
): Promise<void> => {
  const state = autocommit as unknown as Kysely<unknown>;
  const logs = (logsFile as unknown as Kysely<unknown>) ?? state;
  const parts: Part[] = [
    {
      db: state,
      table: 'migration',
      steps: steps.state ?? STATE_STEPS,
      requirements: steps.requirements ?? REQUIREMENTS,
    },
    { db: logs, table: 'log_migration', steps: steps.logs ?? LOG_STEPS, requirements: undefined },
  ];
  const due: Part[] = [];
  for (const part of parts) {
    const { missing, isEmpty } = await whenFree(capabilities, () => check(part));
    if (missing === undefined) continue;
    if (!isEmpty)
      await whenFree(capabilities, () => capabilities.copyBefore(part.db as unknown as Kysely<never>, missing));
    due.push(part);
  }
  for (const part of due) await whenFree(capabilities, () => migrate(part, capabilities));
};
