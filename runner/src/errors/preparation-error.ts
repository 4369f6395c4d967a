import type { EndReason } from '@signalbox/contract';
import { MAX_REASON_TEXT } from '@signalbox/contract/link';

export const DISK_FULL = 'The disk of the runner is full.';

/**
 * Shortens the output of a program to a maximum number of characters. It is cut at a blank, because half a secret
 * would not be recognized and masked.
 */
export const shortened = (text: string, most: number): string =>
  text.length <= most ? text : `${text.slice(0, Math.max(0, text.lastIndexOf(' ', most)))} …`;

type Kind = 'repository' | 'preparation' | 'disk';

/** Why a run cannot be prepared: a message for the last line of its log, and the same as an end reason. */
export class PreparationError extends Error {
  readonly kind: Kind;
  readonly endReason: EndReason;

  constructor(
    kind: Kind,
    message: string,
    /** Not shortened: its texts are masked before they are cut, because half a secret is not recognized. */
    endReason: EndReason,
  ) {
    super(message);
    this.kind = kind;
    this.endReason = endReason;
  }
}

/** Sets the `repository` of an end reason, when its code has this parameter. */
export const inRepository = ({ code, params }: EndReason, repository: string): EndReason =>
  ({ code, params: 'repository' in params ? { ...params, repository } : params }) as EndReason;

/** Changes each text parameter of an end reason and cuts it to `MAX_REASON_TEXT`. */
export const withTexts = ({ code, params }: EndReason, change: (text: string) => string): EndReason =>
  ({
    code,
    params: Object.fromEntries(
      Object.entries(params).map(([name, value]) => [
        name,
        typeof value === 'string' ? shortened(change(value), MAX_REASON_TEXT - 2) : value,
      ]),
    ),
  }) as EndReason;
