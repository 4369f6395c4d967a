import type { EndReasonDetail } from '@signalbox/contract';

/** A detail of an end reason that Signalbox itself writes: its English text, its code, and the value within it. */
export interface OwnDetail {
  readonly detail: string;
  readonly detail_code: EndReasonDetail;
  readonly detail_value?: string;
}

/** @param value the value within the text, such as a path; undefined if the text has none */
export const ownDetail = (detail_code: EndReasonDetail, detail: string, value?: string): OwnDetail => ({
  detail,
  detail_code,
  ...(value === undefined ? {} : { detail_value: value }),
});

/** An error whose message is a detail of an end reason. */
export class DetailError extends Error {
  readonly own: OwnDetail;

  constructor(code: EndReasonDetail, message: string, value?: string) {
    super(message);
    this.own = ownDetail(code, message, value);
  }
}

/** The detail for an error: with its code if Signalbox writes it, otherwise the first line of its message. */
export const detailOf = (error: unknown): OwnDetail | { readonly detail: string } => {
  if (error instanceof DetailError) return error.own;
  return { detail: error instanceof Error ? (error.message.split('\n', 1)[0] ?? '') : '' };
};
