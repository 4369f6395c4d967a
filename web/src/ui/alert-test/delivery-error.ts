import type { AlertFault } from '@signalbox/contract';

const WORDS: Readonly<Record<AlertFault, string>> = {
  not_configured: 'alerts.fault.notConfigured',
  not_wanted: 'alerts.fault.notWanted',
  address_refused: 'alerts.fault.addressRefused',
  no_such_host: 'alerts.fault.noSuchHost',
  not_reached: 'alerts.fault.notReached',
  timed_out: 'alerts.fault.timedOut',
  not_trusted: 'alerts.fault.notTrusted',
  redirected: 'alerts.fault.redirected',
  refused: 'alerts.fault.refused',
  failed: 'alerts.fault.failed',
};

/** Why an alert was not delivered, with the status code of the receiver if there is one. */
export const faultText = (t: (key: string) => string, fault: AlertFault, detail: string): string =>
  detail === '' ? t(WORDS[fault]) : `${t(WORDS[fault])} (${detail})`;
