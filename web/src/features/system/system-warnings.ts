import type { System } from '@signalbox/contract';
import type { TFunction } from 'i18next';
import { listText, numberText, storageText } from '../../lang/locale.ts';

const WEEK_MS = 7 * 24 * 60 * 60_000;
const LATELY_MS = 10 * 60_000;
/** Shares of the total below or above which an administrator has to act. */
const LITTLE_SPACE = 0.1;
const MANY_CONNECTIONS = 0.9;

/** Reasons for which tasks wait until an administrator acts. */
const NO_RUNNER: readonly string[] = [
  'no_runner',
  'no_runner_with_app',
  'no_runner_with_tags',
  'no_runner_for_project',
  'runners_paused',
];

export interface SystemWarning {
  readonly id: string;
  readonly text: string;
  /** The page on which it can be solved. */
  readonly to?: '/runners' | '/tasks';
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
  const without = queue.reasons.filter(({ code }) => code !== null && NO_RUNNER.includes(code));
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

const ofDatabase = (t: TFunction, { database, notices }: System, now: number): SystemWarning[] => {
  const { last_backup: backup, connections } = database;
  const isOld = backup === null || now - Date.parse(backup) > WEEK_MS;
  return [
    ...(notices === 'lost' ? [{ id: 'notices', text: t('systemPage.noticesLost') }] : []),
    ...(connections && connections.open > connections.maximum * MANY_CONNECTIONS
      ? [{ id: 'connections', text: t('systemPage.connectionsFull', { ...connections }) }]
      : []),
    ...(isOld ? [{ id: 'backup', text: t(backup === null ? 'systemPage.noBackup' : 'systemPage.oldBackup') }] : []),
  ];
};

/** Everything that an administrator has to act on. */
export const warningsOf = (t: TFunction, system: System, now: number): readonly SystemWarning[] => [
  ...ofRunners(t, system),
  ...ofServers(t, system, now),
  ...ofDatabase(t, system, now),
];
