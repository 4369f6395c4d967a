import type { FailureHosts, HostRecord } from '@signalbox/contract';
import { MAX_CLUSTERS } from '@signalbox/contract/limits';
import { Cluster, type ClusterStep, type RunCluster } from './cluster.ts';
import { type FailedRecord, fingerprintOf, OTHERS_ID } from './fingerprint.ts';

export interface ClustersOfRun {
  /** Number of hosts in all clusters. */
  readonly hosts: number;
  /** The most hosts first. */
  readonly clusters: readonly RunCluster[];
}

/** Which hosts of a cluster to list: those whose name contains a text, by number from 1. */
export interface HostPage {
  readonly first: number;
  readonly limit: number;
  readonly name?: string | undefined;
}

const UNKNOWN_STEP: ClusterStep = { step: 0, name: '', action: '' };
const collator = new Intl.Collator('en', { numeric: true });

/** Returns a page of the hosts of a cluster, by name. */
export const pageOfLines = (
  lines: Iterable<readonly [string, number]>,
  { first, limit, name }: HostPage,
): FailureHosts => {
  const wanted = name?.toLowerCase();
  const hosts = [...lines].filter(([host]) => wanted === undefined || host.toLowerCase().includes(wanted));
  hosts.sort(([a], [b]) => collator.compare(a, b));
  const page = hosts.slice(first - 1, first - 1 + limit);
  return { first, total: hosts.length, hosts: page.map(([host, line]) => ({ host, line })) };
};

/** The failures of a run in clusters, built from its records in order. */
export class RunClusters {
  /** Number of the failures that were added. */
  taken = 0;
  readonly #clusters = new Map<string, Cluster>();
  readonly #hosts = new Set<string>();

  /** Approximate size in bytes. */
  get bytes(): number {
    return [...this.#clusters.values()].reduce((sum, { bytes }) => sum + bytes, this.#hosts.size * 50);
  }

  /** Adds a failed or unreachable result that was not rescued. */
  take(record: HostRecord, step: ClusterStep = UNKNOWN_STEP): void {
    const print = fingerprintOf(record as FailedRecord, step);
    const isOther = !this.#clusters.has(print.id) && this.#clusters.size >= MAX_CLUSTERS;
    const id = isOther ? OTHERS_ID : print.id;
    let cluster = this.#clusters.get(id);
    if (!cluster) {
      cluster = new Cluster(isOther ? { id, cause: 'others', title: print.title } : print, step, record);
      this.#clusters.set(id, cluster);
    }
    cluster.add(record, print);
    this.#hosts.add(record.host);
  }

  get summary(): ClustersOfRun {
    const clusters = [...this.#clusters.values()].map(({ summary }) => summary);
    clusters.sort((a, b) => b.hosts - a.hosts || a.first.at - b.first.at);
    return { hosts: this.#hosts.size, clusters };
  }

  /** The hosts of a cluster; undefined for an unknown one. */
  hostsOf(fingerprint: string, page: HostPage): FailureHosts | undefined {
    const cluster = this.#clusters.get(fingerprint);
    return cluster && pageOfLines(cluster.lines, page);
  }
}
