import { ApiError, type FieldErrors } from './api-error.ts';

type Results<Checks extends readonly (() => unknown)[]> = {
  [Index in keyof Checks]: Awaited<ReturnType<Checks[Index]>>;
};

/**
 * Runs checks one after the other, and refuses with the wrong fields of all of them.
 * @returns what each check returned
 * @throws bad_input naming all wrong fields, or the first other error if no field was wrong before it
 */
export const checkTogether = async <const Checks extends readonly (() => unknown)[]>(
  checks: Checks,
): Promise<Results<Checks>> => {
  const results: unknown[] = [];
  let fields: FieldErrors = {};
  const refuse = () => {
    if (Object.keys(fields).length > 0) throw ApiError.ofFields(fields);
  };
  for (const check of checks) {
    try {
      results.push(await check());
    } catch (error) {
      if (!(error instanceof ApiError) || error.fields === undefined) {
        refuse();
        throw error;
      }
      fields = { ...error.fields, ...fields };
    }
  }
  refuse();
  return results as Results<Checks>;
};
