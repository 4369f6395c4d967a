import { DAY_MS } from '@signalbox/contract/limits';
import { LINK_PROTOCOL, OLDEST_LINK_PROTOCOL } from '@signalbox/contract/link';
import type { UpgradePlan } from '../../database/upgrade-plan.ts';

/** A backup that is older than this should be replaced before an upgrade, in milliseconds. */
const RECENT_MS = DAY_MS;

const partsOf = (version: string): readonly [major: number, minor: number] => {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return [major, minor];
};

/**
 * Whether runners of a version must be upgraded before the servers, which only support the release before theirs. The release
 * before the first one of a major version is not known, so any of the last major version counts.
 */
const isTooOld = (runner: string, server: string): boolean => {
  const [[major, minor], [serverMajor, serverMinor]] = [partsOf(runner), partsOf(server)];
  if (major === serverMajor) return minor < serverMinor - 1;
  return major < serverMajor - 1 || (major < serverMajor && serverMinor > 0);
};

const serversLine = ({ isShared, migrations, breaking, canRestart }: UpgradePlan): string => {
  if (migrations.length === 0) return 'Servers: any order, nothing changes in the database.';
  if (!isShared) return 'Servers: stop the server, upgrade it, and start it.';
  if (breaking.length > 0) return `Servers: stop all of them first. They fail after ${breaking.join(', ')}.`;
  const restart = canRestart ? '' : ' A server that has not been upgraded continues, but does not start again.';
  return `Servers: upgrade one after the other, while the others run.${restart}`;
};

const runnersLine = ({ runners }: UpgradePlan, version: string): string => {
  const known = runners.map((one) => `${one.count} with ${one.version}`).join(', ') || 'none has connected yet';
  const old = runners.filter((one) => isTooOld(one.version, version)).map((one) => one.version);
  const when =
    old.length > 0
      ? `upgrade those with ${old.join(', ')} before the servers`
      : `upgrade them after the servers, which support the protocols ${OLDEST_LINK_PROTOCOL} to ${LINK_PROTOCOL}`;
  return `Runners: ${known}; ${when}.`;
};

const backupLine = ({ lastBackup }: UpgradePlan, now: Date): string => {
  if (lastBackup === null) return 'Backup: none is known. Make one first: signalbox backup.';
  const isRecent = now.getTime() - Date.parse(lastBackup) <= RECENT_MS;
  return `Backup: ${lastBackup}${isRecent ? '.' : ', more than a day ago. Make one first: signalbox backup.'}`;
};

/** Returns the lines that describe an upgrade to an administrator. */
export const upgradeReport = (plan: UpgradePlan, version: string, now: Date): string[] => {
  const { migrations, tables } = plan;
  const seconds = tables.reduce((sum, one) => sum + one.seconds, 0);
  return [
    `Version: ${version}.`,
    `Database: ${plan.database}, from ${plan.current || 'empty'} to ${plan.next}.`,
    migrations.length === 0 ? 'Migrations: none.' : `Migrations: ${migrations.length}`,
    ...migrations.map((name) => `  ${name}${plan.breaking.includes(name) ? ' (older servers fail after it)' : ''}`),
    ...tables.map(({ name, rows, seconds: own }) => `  rewrites ${name}: ${rows} rows, about ${own} s`),
    ...(migrations.length === 0 ? [] : [`Time: about ${Math.max(1, seconds)} s, estimated from the number of rows.`]),
    serversLine(plan),
    runnersLine(plan, version),
    backupLine(plan, now),
  ];
};
