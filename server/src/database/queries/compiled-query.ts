import type { Compilable, CompiledQuery, InferResult } from 'kysely';
import { type StateReader, stateOf } from '../database.ts';

/** Stands for a parameter in a compiled query. */
class Placeholder {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

/**
 * Compiles a query once. For queries that run with every request, where compiling takes longer than executing.
 * @param build creates the query from placeholders, which it may only pass on
 * @returns a function that runs the query with given parameters
 */
export const compiledQuery = <P extends Readonly<Record<string, string | number>>, C extends Compilable<unknown>>(
  build: (db: StateReader, parameters: P) => C,
): ((db: StateReader, parameters: P) => Promise<InferResult<C>>) => {
  const compiled = new WeakMap<StateReader, CompiledQuery>();
  const compile = (db: StateReader): CompiledQuery => {
    const placeholders = new Proxy({}, { get: (_, name) => new Placeholder(String(name)) });
    const query = build(db, placeholders as P).compile();
    compiled.set(db, query);
    return query;
  };
  return async (db, parameters) => {
    const query = compiled.get(db) ?? compile(db);
    const values = query.parameters.map((one) => (one instanceof Placeholder ? parameters[one.name] : one));
    // `build` had only a reader, so the compiled query cannot write.
    return (await stateOf(db).executeQuery({ ...query, parameters: values })).rows as InferResult<C>;
  };
};
