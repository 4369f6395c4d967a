import { xmlText } from './xml.ts';

/** An ended task of a feed. */
export interface FeedEntry {
  readonly id: number;
  readonly title: string;
  readonly reason: string;
  readonly status: string;
  readonly ended: string;
  readonly url: string;
}

export interface Feed {
  readonly title: string;
  /** The page of the project. */
  readonly url: string;
  readonly updated: string;
  readonly entries: readonly FeedEntry[];
}

const entryXml = ({ title, reason, status, ended, url }: FeedEntry): string =>
  [
    `<entry><id>${xmlText(url)}</id><title>${xmlText(title)}</title><updated>${ended}</updated>`,
    `<link href="${xmlText(url)}"/><category term="${xmlText(status)}"/>`,
    reason === '' ? '' : `<summary>${xmlText(reason)}</summary>`,
    '</entry>',
  ].join('');

/** An Atom feed (RFC 4287). */
export const feedXml = ({ title, url, updated, entries }: Feed): string =>
  [
    '<?xml version="1.0" encoding="utf-8"?>',
    '<feed xmlns="http://www.w3.org/2005/Atom">',
    `<id>${xmlText(url)}</id><title>${xmlText(title)}</title><updated>${updated}</updated>`,
    `<author><name>Signalbox</name></author><link href="${xmlText(url)}"/>`,
    ...entries.map(entryXml),
    '</feed>',
  ].join('\n');
