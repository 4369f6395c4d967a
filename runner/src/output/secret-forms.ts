/** Minimum length of a value that is masked, and of a masked line of a longer value, in characters. */
export const MIN_SECRET = 4;
const MIN_SECRET_LINE = 8;

const CONTROL = /[\x00-\x08\x0b-\x1f\x7f-\x9f]/g;

/** Columns at which programs wrap base64. */
const BASE64_WRAPS = [76, 64];

const base64Forms = (value: string): string[] => {
  const forms: string[] = [];
  const bytes = Buffer.from(value, 'utf8');
  const whole = bytes.toString('base64');
  forms.push(whole.replace(/=+$/, ''));
  for (const wrap of BASE64_WRAPS) {
    if (whole.length <= wrap) continue;
    for (let at = 0; at < whole.length; at += wrap) {
      const row = whole.slice(at, at + wrap).replace(/=+$/, '');
      if (row.length >= MIN_SECRET_LINE) forms.push(row);
    }
  }
  // Inside other text that is encoded with it, for example `user:password`, the value begins at another bit. The
  // characters at its edges then contain bits of the neighboring text too, so only the inner ones are searched.
  for (const shift of [1, 2]) {
    const shifted = Buffer.concat([Buffer.alloc(shift), bytes])
      .toString('base64')
      .replace(/=+$/, '');
    const lastWhole = Math.floor(((bytes.length + shift) * 8) / 6);
    const inner = shifted.slice(shift + 1, lastWhole);
    if (inner.length >= MIN_SECRET_LINE) forms.push(inner);
  }
  const lastWhole = Math.floor((bytes.length * 8) / 6);
  if (lastWhole >= MIN_SECRET_LINE) forms.push(whole.slice(0, lastWhole));
  return forms.flatMap((form) => [form, form.replaceAll('+', '-').replaceAll('/', '_')]);
};

const percent = (character: string) =>
  [...Buffer.from(character, 'utf8')].map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join('');

const lowerHex = (form: string) => form.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase());

/** Characters that programs do not encode, in addition to letters, digits and `_.~-`. */
const LEFT_IN_URLS = [
  '',
  // encodeURIComponent and encodeURI of JavaScript.
  "!*'()",
  "!*'();/?:@&=+$,#",
  // User info: of Go, as RFC 3986 allows it, without and with the colon, and of browsers.
  '$&+,;=',
  "!$&'()*+,;=",
  "!$&'()*+,;=:",
  "!$%&'()*+,",
];

const urlForms = (value: string): string[] => {
  const [strict = '', ...others] = LEFT_IN_URLS.map((left) =>
    [...value].map((c) => (/[A-Za-z0-9_.~-]/.test(c) || left.includes(c) ? c : percent(c))).join(''),
  );
  const forms = [strict, ...others, strict.replaceAll('%2F', '/'), strict.replaceAll('%20', '+')];
  return [...forms, ...forms.map(lowerHex)];
};

/** The form of YAML and shells between single quotes. */
const quotedForms = (value: string): string[] =>
  value.includes("'")
    ? [value.replaceAll("'", "''"), value.replaceAll("'", `'"'"'`), value.replaceAll("'", "'\\''")]
    : [];

const unicodeEscape = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

const escapedForms = (value: string): string[] => {
  const whole = JSON.stringify(value).slice(1, -1);
  // Python's json escapes all characters that are not ASCII.
  const ascii = whole.replace(/[\u0080-\uffff]/g, unicodeEscape);
  return [
    whole,
    ascii,
    ascii.replace(/\\u[0-9a-f]{4}/g, (code) => `\\u${code.slice(2).toUpperCase()}`),
    // Go's json, which many container programs use, escapes characters that HTML would read as markup.
    whole.replace(/[<>&]/g, unicodeEscape),
    whole.replaceAll('/', '\\/'),
    // PHP's json does both.
    ascii.replaceAll('/', '\\/'),
    value.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('\n', '\\n'),
  ];
};

/** Also JSON inside JSON: Ansible prints results as JSON, and the output of a program may already be JSON. */
const jsonForms = (value: string): string[] => {
  const once = escapedForms(value);
  return [...once, ...once.flatMap(escapedForms)];
};

/** Every text that reveals a secret: the secret itself, its long lines, and their common encodings. */
export const secretForms = (secrets: readonly string[]): string[] => {
  const forms = new Set<string>();
  for (const secret of secrets) {
    // Log lines contain no carriage return and no NUL, and the last line end of a secret is not visible.
    const value = secret
      .replaceAll('\0', '')
      .replaceAll('\r\n', '\n')
      .replace(/^[\r\n]+|[\r\n]+$/g, '');
    const parts = value.split(/[\r\n]/).map((line) => line.trim());
    const plain = [
      value,
      value.trim(),
      // Encodings and results contain carriage returns; modules for Windows insert them between lines.
      value.replaceAll('\n', '\r\n'),
      // Log lines contain no other control characters either.
      value.replace(CONTROL, ''),
      ...(parts.length > 1 ? parts.filter((line) => line.length >= MIN_SECRET_LINE) : []),
    ];
    for (const text of plain) {
      if (text.length < MIN_SECRET) continue;
      for (const form of [text, ...quotedForms(text), ...base64Forms(text), ...urlForms(text), ...jsonForms(text)]) {
        if (form.length >= MIN_SECRET) forms.add(form);
      }
    }
    // With the line end that `echo` adds before the encoding.
    if (value.length >= MIN_SECRET) for (const form of base64Forms(`${value}\n`)) forms.add(form);
  }
  return [...forms];
};
