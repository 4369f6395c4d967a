import { ApiError, type FieldErrors } from './api-error.ts';

type Checks = Readonly<Record<string, () => unknown>>;

type Results<Given extends Checks> = {
  [Name in keyof Given]: Awaited<ReturnType<Given[Name]>>;
};

/**
 * Runs checks one after the other, and refuses with the wrong fields of all of them.
 * @returns what each check returned
 * @throws bad_input naming all wrong fields, or the first other error if no field was wrong before it
 */
export const checkTogether = async <const Given extends Checks>(checks: Given): Promise<Results<Given>> => {
  const results: Record<string, unknown> = {};
  let fields: FieldErrors = {};
  const refuse = () => {
    if (Object.keys(fields).length > 0) throw ApiError.ofFields(fields);
  };
  for (const [name, check] of Object.entries(checks)) {
    try {
      results[name] = await check();
    } catch (error) {
      if (!(error instanceof ApiError) || error.fields === undefined) {
        refuse();
        throw error;
      }
      // A field keeps its position and its first error.
      fields = { ...fields, ...error.fields, ...fields };
    }
  }
  refuse();
  return results as Results<Given>;
};
