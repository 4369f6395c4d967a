declare module 'autocannon' {
  export interface Report {
    readonly requests: { readonly average: number; readonly total: number };
    readonly latency: { readonly p50: number; readonly p99: number };
    readonly non2xx: number;
    readonly errors: number;
  }
  /**
   * Sends requests for `duration` seconds over `connections` connections. Each connection sends its next request as soon
   * as the previous one is answered.
   */
  // biome-ignore lint/style/noDefaultExport: the package has no named export
  export default function autocannon(options: {
    url: string;
    connections: number;
    duration: number;
    headers?: Record<string, string>;
  }): Promise<Report>;
}
