/** How `ansible-playbook --list-hosts` begins the hosts of a play. */
const HOSTS = /^ {4}hosts \((\d{1,7})\):$/;
const HOST = /^ {6}(\S.*)$/;

/** The hosts of all plays, each once and sorted, in the output of `ansible-playbook --list-hosts`. */
export const readRunHosts = (output: string): string[] => {
  const rows = output.split('\n');
  const hosts = rows.flatMap((row, at) => {
    const count = Number(HOSTS.exec(row)?.[1] ?? 0);
    return rows.slice(at + 1, at + 1 + count).flatMap((line) => HOST.exec(line)?.[1] ?? []);
  });
  return [...new Set(hosts)].sort();
};
