declare module 'autocannon' {
  export interface Report {
    readonly requests: { readonly average: number; readonly total: number };
    readonly latency: { readonly p50: number; readonly p99: number };
    readonly non2xx: number;
    readonly errors: number;
  }
  /** Sends requests over some connections for so many seconds, each as soon as the one before is answered. */
  // biome-ignore lint/style/noDefaultExport: the package has no other
  export default function autocannon(options: {
    url: string;
    connections: number;
    duration: number;
    headers?: Record<string, string>;
  }): Promise<Report>;
}
