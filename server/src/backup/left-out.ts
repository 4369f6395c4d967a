import type { Cell, SnapshotTable } from '../database/snapshot.ts';

/**
 * Tables of sessions, unfinished sign-ins, mailed links, registration tokens, running servers and the last backup.
 * Restoring them would reopen sessions and links that ended after the backup, permit registrations again, and list servers
 * that no longer run and a backup of another installation.
 */
const LEFT_OUT: ReadonlySet<string> = new Set([
  'session',
  'held_sign_in',
  'sign_in_attempt',
  'address_proof',
  'server_keys',
  'runner_registration',
  'last_backup',
]);

/** Whether a table is left out of backups, and skipped in backups of older versions that contain it. */
export const isLeftOut = ({ name }: Pick<SnapshotTable, 'name'>, withTokens: boolean): boolean =>
  LEFT_OUT.has(name) || (name === 'api_token' && !withTokens);

/**
 * Returns a function that pauses the schedule of a row.
 * @returns true from that function when the schedule was active
 */
export const schedulePauser = ({ columns }: Pick<SnapshotTable, 'columns'>): ((row: Cell[]) => boolean) => {
  const [active, nextDue] = [columns.indexOf('active'), columns.indexOf('next_due')];
  return (row) => {
    if (active < 0 || row[active] !== 1) return false;
    row[active] = 0;
    if (nextDue >= 0) row[nextDue] = null;
    return true;
  };
};
