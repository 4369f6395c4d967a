import type { Requirements } from '../compatibility.ts';

/**
 * Migrations after which servers of older versions fail, because they drop or rename something, or change the meaning of
 * stored values. A migration that removes what the last release no longer uses requires the migration that replaced it.
 */
export const REQUIREMENTS: Requirements = {
  '0025-all-ids-once': '0025-all-ids-once',
  '0035-end-reasons': '0035-end-reasons',
  '0036-event-kinds': '0036-event-kinds',
  '0037-apps': '0037-apps',
  '0038-outbox': '0038-outbox',
  '0039-column-names': '0039-column-names',
  '0056-schedule-alerts': '0056-schedule-alerts',
};
