/** A value within a sentence. A message is translated itself before the sentence contains it. */
export type Param = string | number | Message;

/** The values of a sentence by name. */
export type Params = Readonly<Record<string, Param>>;

/** Something to tell a person: a code that names the sentence, and the values within it. */
export interface Message {
  readonly code: string;
  readonly params?: Params;
}

/** The codes of one area, each with the names of its parameters. */
export type MessageTable = Readonly<Record<string, readonly string[]>>;

/** The parameters of one code. `count` is a number, because it selects the plural form. */
export type MessageParams<Table extends MessageTable, Code extends keyof Table> = {
  readonly [Name in Table[Code][number]]: Name extends 'count' ? number : Param;
};

/** Every message of a table: the code with exactly its parameters. */
export type MessageOf<Table extends MessageTable> = {
  [Code in keyof Table & string]: Table[Code] extends readonly []
    ? { readonly code: Code; readonly params?: Readonly<Record<string, never>> }
    : { readonly code: Code; readonly params: MessageParams<Table, Code> };
}[keyof Table & string];
