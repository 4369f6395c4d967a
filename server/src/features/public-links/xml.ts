const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};

/** Whether XML 1.0 permits a character. */
const isPermitted = (character: string): boolean => {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x20) return code === 0x9 || code === 0xa || code === 0xd;
  const isHalf = code >= 0xd800 && code <= 0xdfff;
  return !isHalf && code !== 0xfffe && code !== 0xffff;
};

/** A text as content or attribute of XML, without what XML does not permit. */
export const xmlText = (text: string): string =>
  [...text]
    .filter(isPermitted)
    .map((character) => ENTITIES[character] ?? character)
    .join('');
