/** The hosts of a run by name. */
export interface HostsOfRun {
  readonly reached: Set<string>;
  readonly unreachable: Set<string>;
}

/**
 * The hosts on which a failure is not fixed after a later run.
 * @param before the hosts on which it was not fixed before the run
 * @param isLimited Whether the run was limited to some hosts: it shows nothing about the others. Else hosts that the run does
 * not have were removed, if it has any of them.
 */
export const openAfter = (
  before: readonly string[],
  { reached, unreachable }: HostsOfRun,
  { isLimited }: { readonly isLimited: boolean },
): string[] => {
  if (isLimited || !before.some((host) => reached.has(host))) return before.filter((host) => !reached.has(host));
  return before.filter((host) => unreachable.has(host));
};
