import { z } from 'zod';

/** A value within a text. A value that is a message is translated first. */
export type Param = string | number | Message;

/** The values within a text, by name. */
export type Params = Readonly<Record<string, Param>>;

/** A message for a person: a code that names the text, and the values within it. */
export interface Message {
  readonly code: string;
  readonly params?: Params | undefined;
}

/** A value within a text, as answers contain it. */
export const Param: z.ZodType<Param> = z.union([z.string(), z.number(), z.lazy(() => Message)]);

/** A message as answers hold it. */
export const Message: z.ZodType<Message> = z.object({
  code: z.string().describe('A stable code that names the text.'),
  params: z.record(z.string(), Param).optional().describe('The values within the text, by name.'),
});

/** The codes of one area, each with the names of its parameters. */
export type MessageTable = Readonly<Record<string, readonly string[]>>;

/**
 * The parameters of one code. `count` is a number, because it selects the plural form.
 * `Part`: the messages that can be a parameter.
 */
export type MessageParams<Table extends MessageTable, Code extends keyof Table, Part extends Message = Message> = {
  readonly [Name in Table[Code][number]]: Name extends 'count' ? number : string | number | Part;
};

/** Every message of a table: the code with exactly its parameters. */
export type MessageOf<Table extends MessageTable, Part extends Message = Message> = {
  [Code in keyof Table & string]: Table[Code] extends readonly []
    ? { readonly code: Code; readonly params?: Readonly<Record<string, never>> }
    : { readonly code: Code; readonly params: MessageParams<Table, Code, Part> };
}[keyof Table & string];

/** The code of a message and, if it has any, its parameters: the arguments of functions that take a message. */
export type MessageArguments<Table extends MessageTable, Part extends Message = Message> = {
  [Code in keyof Table & string]: Table[Code] extends readonly []
    ? readonly [code: Code]
    : readonly [code: Code, params: MessageParams<Table, Code, Part>];
}[keyof Table & string];
