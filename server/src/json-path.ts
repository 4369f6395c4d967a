/** The steps of a path: names and indexes. */
export type JsonPath = readonly string[];

const MAX_STEPS = 32;

/** One step: `.name`, `[0]`, `['a name']` or `["a name"]`. */
const STEP = /\.([^.[\]'"\s]+)|\[(\d{1,6})\]|\['([^']*)'\]|\["([^"]*)"\]/y;

/**
 * Parses a path such as `$.release.tag_name`, `commits[0].id` or `$['a.b']`. `$` is the whole value.
 * @returns undefined if the text is not a path
 */
export const parseJsonPath = (text: string): JsonPath | undefined => {
  const relative = text.startsWith('[') ? text : `.${text}`;
  const rest = text.startsWith('$') ? text.slice(1) : relative;
  const steps: string[] = [];
  const step = new RegExp(STEP);
  while (step.lastIndex < rest.length) {
    const [found, ...names] = step.exec(rest) ?? [];
    if (found === undefined || steps.length === MAX_STEPS) return undefined;
    steps.push(names.find((name) => name !== undefined) ?? '');
  }
  return steps;
};

/** The value at a path; undefined if there is none. Only own members count. */
export const valueAt = (value: unknown, path: JsonPath): unknown => {
  let found = value;
  for (const step of path) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, step)) return undefined;
    if (Array.isArray(found) && step === 'length') return undefined;
    found = (found as Record<string, unknown>)[step];
  }
  return found;
};
