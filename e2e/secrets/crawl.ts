import { ROUTE_TABLE, type RouteShape } from '@signalbox/contract';
import type { Recorder } from './recorder.ts';

const OTHER_PAGES = ['/api/docs', '/api/docs/', '/', '/api/unknown'];

/** Every combination of ids for the parameters of a path. */
const filled = (path: string, ids: Readonly<Record<string, readonly (number | string)[]>>): string[] => {
  const param = /\{(\w+)\}/.exec(path)?.[1];
  if (param === undefined) return [path];
  const values = ids[param];
  if (!values) throw new Error(`${path} names ${param}, of which there is no id to try.`);
  return values.flatMap((id) => filled(path.replace(`{${param}}`, String(id)), ids));
};

/** Makes every GET call of the route table with every existing id, and fetches all other paths that the server serves. */
export const crawl = async (
  recorder: Recorder,
  address: string,
  cookie: string,
  ids: Readonly<Record<string, readonly (number | string)[]>>,
): Promise<number> => {
  const routes: readonly RouteShape[] = Object.values(ROUTE_TABLE);
  const paths = routes.filter(({ method }) => method === 'GET').flatMap(({ path }) => filled(`/api${path}`, ids));
  for (const path of [...paths, ...OTHER_PAGES]) await recorder.fetch(`${address}${path}`, { headers: { cookie } });
  return paths.length;
};
