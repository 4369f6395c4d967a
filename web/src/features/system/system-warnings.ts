import { ADMIN_WAITING_REASONS } from 'virtual:routes';
import type { Runner, System } from '@signalbox/contract';
import type { TFunction } from 'i18next';
import { listText, numberText, storageText } from '../../lang/locale.ts';
import { DAY_MS } from '../../ui/time/time.ts';

const WEEK_MS = 7 * DAY_MS;
const LATELY_MS = 10 * 60_000;
/** With more runners that are not connected, one warning counts them. */
const MAX_NAMED = 5;
/** Shares of the total below or above which an administrator has to act. */
const LITTLE_SPACE = 0.1;
const MANY_CONNECTIONS = 0.9;

export interface SystemWarning {
  readonly id: string;
  readonly text: string;
  /** The page on which it can be solved. */
  readonly to?: '/runners' | '/tasks';
  /** What an administrator types after the name of the program. */
  readonly command?: string;
  /** The runner that the text names. */
  readonly runner?: number;
}

const ofServers = (t: TFunction, { servers, undescribed_servers }: System, now: number): SystemWarning[] => {
  const versions = [...new Set(servers.map(({ version }) => version))];
  const differ = versions.length > 1 || undescribed_servers > 0;
  return [
    ...(differ ? [{ id: 'versions', text: t('systemPage.versionsDiffer', { versions: listText(versions) }) }] : []),
    ...servers.flatMap(({ id, host, disk, notices_reopened: reopened }) => [
      ...(disk && disk.free < disk.total * LITTLE_SPACE
        ? [{ id: `disk ${id}`, text: t('systemPage.diskFull', { host, free: storageText(disk.free) }) }]
        : []),
      ...(reopened !== null && now - Date.parse(reopened) < LATELY_MS
        ? [{ id: `reopened ${id}`, text: t('systemPage.noticesReopened', { host }) }]
        : []),
    ]),
  ];
};

const ofRunners = (t: TFunction, { runners, queue }: System): SystemWarning[] => {
  const without = queue.reasons.filter(({ code }) => code !== null && ADMIN_WAITING_REASONS.includes(code));
  const count = without.reduce((sum, reason) => sum + reason.count, 0);
  return [
    ...(count > 0
      ? [
          {
            id: 'runner',
            text: t('systemPage.noRunner', { count, number: numberText(count) }),
            to: '/runners',
          } as const,
        ]
      : []),
    ...(count === 0 && runners.connected === 0
      ? [{ id: 'connected', text: t('waiting.noRunner'), to: '/runners' } as const]
      : []),
    ...(runners.separated === false ? [{ id: 'separated', text: t('system.notSeparated') }] : []),
    ...runners.duplicates.map(
      ({ id, name }) => ({ id: `duplicate ${id}`, text: t('runners.duplicate', { name }), to: '/runners' }) as const,
    ),
  ];
};

/** Whether an administrator expects the runner to be connected: it was in the last day, and is not paused. */
const isMissing = ({ connected, ephemeral, local, paused, last_contact: contact }: Runner, now: number): boolean =>
  !connected && !ephemeral && !local && !paused && contact !== null && now - Date.parse(contact) < DAY_MS;

const ofMissingRunners = (t: TFunction, runners: readonly Runner[], now: number): SystemWarning[] => {
  const count = runners.filter(({ connected }) => !connected).reduce((sum, { tasks }) => sum + tasks, 0);
  const missing = runners.filter((runner) => isMissing(runner, now));
  const number = numberText(missing.length);
  return [
    ...(count > 0
      ? [
          {
            id: 'unreachable',
            text: t('systemPage.unreachable', { count, number: numberText(count) }),
            to: '/runners',
          } as const,
        ]
      : []),
    ...(missing.length > MAX_NAMED
      ? [{ id: 'missing', text: t('systemPage.missing', { count: missing.length, number }), to: '/runners' } as const]
      : missing.map(({ id, name }) => ({
          id: `missing ${id}`,
          text: t('systemPage.notConnected', { name }),
          runner: id,
        }))),
  ];
};

const ofDatabase = (t: TFunction, { database, notices }: System, now: number): SystemWarning[] => {
  const { last_backup: backup, connections } = database;
  const isOld = backup === null || now - Date.parse(backup) > WEEK_MS;
  return [
    ...(notices === 'lost' ? [{ id: 'notices', text: t('systemPage.noticesLost') }] : []),
    ...(connections && connections.open > connections.maximum * MANY_CONNECTIONS
      ? [{ id: 'connections', text: t('systemPage.connectionsFull', { ...connections }) }]
      : []),
    ...(isOld
      ? [
          {
            id: 'backup',
            text: t(backup === null ? 'systemPage.noBackup' : 'systemPage.oldBackup'),
            command: 'backup',
          },
        ]
      : []),
  ];
};

const ofLogStore = (t: TFunction, { log_store: store }: System): SystemWarning[] => {
  if (!store) return [];
  const { address, answers, failure } = store;
  if (!answers) return [{ id: 'log store', text: t('systemPage.logStoreAway', { address }) }];
  return failure === null ? [] : [{ id: 'log moves', text: t('systemPage.logStoreFailing', { failure }) }];
};

/** Everything that an administrator has to act on. */
export const warningsOf = (
  t: TFunction,
  system: System,
  runners: readonly Runner[],
  now: number,
): readonly SystemWarning[] => [
  ...ofMissingRunners(t, runners, now),
  ...ofRunners(t, system),
  ...ofServers(t, system, now),
  ...ofDatabase(t, system, now),
  ...ofLogStore(t, system),
];
