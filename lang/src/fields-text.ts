import type { Message } from '@signalbox/contract';

/** Messages with these codes follow the name of the field; all others are complete texts. */
const AFTER_NAME = /^field\./;

/**
 * Makes one text about all fields of a form.
 * @param text the text of a message
 * @param between what is written between the name of a field and its message
 * @param label the name of a field as a user sees it
 */
export const fieldsText = (
  fields: Readonly<Record<string, Message>>,
  text: (message: Message, name: string) => string,
  between: string,
  label: (name: string) => string = (name) => name,
): string => {
  const parts = Object.entries(fields).map(([name, message]) =>
    AFTER_NAME.test(message.code) ? `${label(name)}${between}${text(message, name)}` : text(message, name),
  );
  return `${parts.join('; ').replace(/\.$/, '')}.`;
};
