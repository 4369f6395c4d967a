/** What the digest of an inventory in a file of the repository begins with: its content also depends on the commit. */
const FILE = 'file:';

/** The digest of an inventory in a file of the repository. It stands for the path; the commit stands for the content. */
export const digestOfFile = (digest: string): string => `${FILE}${digest}`;

export interface StoredInput {
  readonly digest: string | null;
  readonly commit: string | null;
}

/** Whether the content of an inventory or environment differs between two tasks; undefined if that is unknown. */
export const hasChanged = (earlier: StoredInput, later: StoredInput): boolean | undefined => {
  if (earlier.digest === null || later.digest === null) return undefined;
  if (earlier.digest !== later.digest) return true;
  const isKnown = !earlier.digest.startsWith(FILE) || (earlier.commit !== null && earlier.commit === later.commit);
  return isKnown ? false : undefined;
};
