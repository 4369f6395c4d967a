import { deflateRawSync, inflateRawSync } from 'node:zlib';

/** Names of hosts, each with the first log line of its failure. */
export type HostLines = readonly (readonly [host: string, line: number])[];

/** Hosts of a cluster that are stored. */
export const MAX_STORED_HOSTS = 20_000;

export const encodeHostLines = (lines: HostLines): string =>
  deflateRawSync(JSON.stringify(lines.slice(0, MAX_STORED_HOSTS))).toString('base64');

export const decodeHostLines = (stored: string): HostLines =>
  JSON.parse(inflateRawSync(Buffer.from(stored, 'base64')).toString('utf8')) as HostLines;

/** The same without lines. */
export const encodeHosts = (hosts: readonly string[]): string => encodeHostLines(hosts.map((host) => [host, 0]));

export const decodeHosts = (stored: string): string[] => decodeHostLines(stored).map(([host]) => host);
