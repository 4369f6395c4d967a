import type { CommonCause, Failure } from '@signalbox/contract';
import type { TFunction } from 'i18next';

const CAUSES: Readonly<Record<CommonCause, string>> = {
  apt_locked: 'cause.aptLocked',
  rpm_locked: 'cause.rpmLocked',
  no_space: 'cause.noSpace',
  read_only: 'cause.readOnly',
  out_of_memory: 'cause.outOfMemory',
  connection_timeout: 'cause.connectionTimeout',
  connection_refused: 'cause.connectionRefused',
  connection_closed: 'cause.connectionClosed',
  no_route: 'cause.noRoute',
  name_unknown: 'cause.nameUnknown',
  host_key_changed: 'cause.hostKeyChanged',
  host_key_unknown: 'cause.hostKeyUnknown',
  login_denied: 'cause.loginDenied',
  python_missing: 'cause.pythonMissing',
  sudo_password: 'cause.sudoPassword',
  sudo_denied: 'cause.sudoDenied',
  undefined_variable: 'cause.undefinedVariable',
  hidden: 'cause.hidden',
  others: 'cause.others',
};

/** What failed, in the language of the user if the cause is a common one. */
export const failureText = (t: TFunction, { cause, title, result }: Pick<Failure, 'cause' | 'title' | 'result'>) => {
  const text = cause !== null && Object.hasOwn(CAUSES, cause) ? t(CAUSES[cause]) : title;
  return result === 'unreachable' ? t('cluster.unreachable', { reason: text }) : text;
};
