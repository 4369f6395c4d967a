import type { HostNoteChange } from '../../logs/results/host-notes.ts';

/** Changes of a run, and of one host in it, that are stored. */
const [MAX_CHANGES, MAX_HOST_CHANGES] = [20_000, 200];
/** Characters of one difference, and of all differences of a run. */
const [MAX_DIFF, MAX_DIFFS] = [16 * 1024, 1024 * 1024];

/** The changes of a run by host, up to limits: a playbook can write records itself. */
export class RunChanges {
  readonly byHost = new Map<string, HostNoteChange[]>();
  #count = 0;
  #characters = 0;

  add(host: string, change: HostNoteChange): void {
    const own = this.byHost.get(host) ?? [];
    if (this.#count >= MAX_CHANGES || own.length >= MAX_HOST_CHANGES) return;
    const { diff } = change;
    const short = diff.length <= MAX_DIFF + 1 ? diff : `${diff.slice(0, MAX_DIFF)}…`;
    const isKept = this.#characters + short.length <= MAX_DIFFS;
    if (isKept) this.#characters += short.length;
    this.byHost.set(host, own);
    own.push({ ...change, diff: isKept ? short : '' });
    this.#count += 1;
  }
}
