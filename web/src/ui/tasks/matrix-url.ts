/** What the matrix of a task can be filtered by, and its orders. */
export const MATRIX_RESULTS = ['failed', 'unreachable', 'running', 'changed', 'slow'] as const;
export type MatrixResult = (typeof MATRIX_RESULTS)[number];
export const MATRIX_SORTS = ['trouble', 'name', 'changed', 'time'] as const;
export type MatrixSort = (typeof MATRIX_SORTS)[number];

/** State of the matrix in the URL. */
export interface MatrixUrl {
  result?: MatrixResult | undefined;
  /** Search for hosts. */
  hosts?: string | undefined;
  order?: MatrixSort | undefined;
  /** Numbers of the host and the step of the opened result, such as `12-3`. */
  cell?: string | undefined;
}

/** Maximum characters of a search in the URL. */
const MAX_SEARCH = 200;

/** Reads the state of the matrix from the search parameters of a URL. Invalid values become undefined. */
export const readMatrixUrl = ({ result, hosts, order, cell }: Readonly<Record<string, unknown>>): MatrixUrl => ({
  result: MATRIX_RESULTS.find((one) => one === result),
  hosts: typeof hosts === 'string' || typeof hosts === 'number' ? String(hosts).slice(0, MAX_SEARCH) : undefined,
  order: MATRIX_SORTS.find((one) => one === order),
  cell: typeof cell === 'string' && /^\d{1,9}-\d{1,9}$/.test(cell) ? cell : undefined,
});
