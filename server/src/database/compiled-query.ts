import type { Compilable, CompiledQuery, InferResult } from 'kysely';
import type { StateReader } from './database.ts';

/** Stands in a compiled query for what each call gives. */
class Place {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

/**
 * A query whose text is made once, not at each call: for what is asked with every request, making it takes longer than
 * answering it.
 * @param build makes the query; it is given a stand-in for each parameter, and may do nothing with it but pass it on
 * @returns the rows that the query answers for these parameters
 */
export const compiledQuery = <P extends Readonly<Record<string, string | number>>, C extends Compilable<unknown>>(
  build: (db: StateReader, parameters: P) => C,
): ((db: StateReader, parameters: P) => Promise<InferResult<C>>) => {
  const compiled = new WeakMap<StateReader, CompiledQuery>();
  const compile = (db: StateReader): CompiledQuery => {
    const places = new Proxy({}, { get: (_, name) => new Place(String(name)) });
    const query = build(db, places as P).compile();
    compiled.set(db, query);
    return query;
  };
  return async (db, parameters) => {
    const query = compiled.get(db) ?? compile(db);
    const values = query.parameters.map((one) => (one instanceof Place ? parameters[one.name] : one));
    return (await db.executeQuery({ ...query, parameters: values })).rows as InferResult<C>;
  };
};
