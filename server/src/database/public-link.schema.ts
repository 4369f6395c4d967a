import type { Fixed, Id } from './column-types.ts';

/** An address at which a feed or a badge is public. Each project and each template has at most one. */
export interface PublicLinkTable {
  id: Id;
  project_id: Fixed<number>;
  /** The template of a badge; null for the feed of the project. */
  template_id: Fixed<number | null>;
  /** The same id, or 0 for the feed, so that the pair with the project is unique. */
  scope: Fixed<number>;
  /** Hash of the secret part of the address. */
  token_hash: string;
  created: string;
  /** Name of the user who made the address. */
  created_by: string;
}
