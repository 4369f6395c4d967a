import type { FailureCluster } from '@signalbox/contract';
import type { MakeText } from './message-text.ts';

/** What a text about a failure needs. */
export type NamedFailure = Pick<FailureCluster, 'result' | 'cause' | 'title' | 'hosts'>;

/** What failed: the text of a common cause, or the message if there is one. `make` has the catalogues `failures`. */
export const failureTitle = (make: MakeText, { cause, title }: Pick<NamedFailure, 'cause' | 'title'>): string =>
  (cause === null ? undefined : make({ code: `cause.${cause}` })) || title || (make({ code: 'no_message' }) ?? '');

/** On how many hosts what failed, as in `31 hosts: apt is locked by another process`. */
export const failureText = (make: MakeText, failure: NamedFailure): string => {
  const what = failureTitle(make, failure);
  const code = failure.result === 'unreachable' ? 'unreachable' : 'hosts';
  return make({ code, params: { count: failure.hosts, what } }) ?? what;
};

/**
 * The failures of a task on one line, the most hosts first.
 * @param total number of all failures; those that are not given are counted
 */
export const failuresText = (make: MakeText, failures: readonly NamedFailure[], total: number): string => {
  const more = total - failures.length;
  const texts = failures.map((failure) => failureText(make, failure));
  if (more > 0) texts.push(make({ code: 'more', params: { count: more } }) ?? '');
  return texts.join(' · ');
};
