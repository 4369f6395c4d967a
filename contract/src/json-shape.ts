/** Maximum nesting of JSON in a body or a field. */
export const MAX_JSON_DEPTH = 64;

/** Maximum number of values, and of keys, in the JSON of a body. */
export const MAX_JSON_VALUES = 10_000;

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_BRACKET = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

/**
 * Measures JSON text that arrives in pieces, without parsing it: parsing deep or finely divided JSON takes long and much
 * memory, so its shape is checked first. Text that is not JSON is measured as if it were.
 */
export class JsonShape {
  /** Deepest nesting so far. */
  depth = 0;
  /** Upper bound of the values so far, members of objects included. */
  values = 1;
  /** Keys of objects so far. */
  keys = 0;
  #open = 0;
  #inString = false;
  #escaped = false;

  /** Adds a piece of the text; it may begin and end anywhere. */
  add(text: string): void {
    // Local variables: megabytes pass through here, and fields take three times as long.
    let [inString, escaped, open, depth, values, keys] = [
      this.#inString,
      this.#escaped,
      this.#open,
      this.depth,
      this.values,
      this.keys,
    ];
    for (let index = 0; index < text.length; index += 1) {
      const code = text.charCodeAt(index);
      if (inString) {
        if (escaped) escaped = false;
        else if (code === BACKSLASH) escaped = true;
        else if (code === QUOTE) inString = false;
      } else if (code === QUOTE) inString = true;
      else if (code === COMMA) values += 1;
      else if (code === COLON) keys += 1;
      else if (code === OPEN_BRACKET || code === OPEN_BRACE) {
        values += 1;
        open += 1;
        if (open > depth) depth = open;
      } else if (code === CLOSE_BRACKET || code === CLOSE_BRACE) open -= 1;
    }
    [this.#inString, this.#escaped, this.#open] = [inString, escaped, open];
    [this.depth, this.values, this.keys] = [depth, values, keys];
  }
}

/** How deep JSON text is nested: 0 for a text, a number, a boolean or null. */
export const jsonTextDepth = (text: string): number => {
  const shape = new JsonShape();
  shape.add(text);
  return shape.depth;
};
