import { describe, expect, it } from 'vitest';
import { drawSample } from '../../../testing/sample.ts';
import { LineAssembler } from './line-assembler.ts';
import { Masker } from './masker.ts';
import { TRUNCATED } from './plain-text.ts';

/** Random numbers with a fixed seed. */
const randomFrom = (seed: number) => {
  let state = seed;
  return (below: number) => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296;
    return Math.floor((state / 4_294_967_296) * below);
  };
};

const assemble = (secrets: string[], chunks: Buffer[]) => {
  const assembler = new LineAssembler(new Masker(secrets));
  return [...chunks.flatMap((chunk) => assembler.push(chunk)), ...assembler.end()];
};

const cut = (bytes: Buffer, random: (below: number) => number): Buffer[] => {
  const chunks: Buffer[] = [];
  for (let at = 0; at < bytes.length; ) {
    const length = 1 + random(random(4) === 0 ? 40_000 : 30);
    chunks.push(bytes.subarray(at, at + length));
    at += length;
  }
  return chunks;
};

describe('the masker', () => {
  it('masks a secret of four characters or more, and no shorter one', () => {
    expect(new Masker(['abcd']).mask('xabcdy abcd')).toBe('x****y ****');
    expect(new Masker(['abc']).mask('abc')).toBe('abc');
    expect(new Masker([]).mask('text')).toBe('text');
    expect(new Masker(['']).mask('text')).toBe('text');
  });

  const secret = 'pä$$ w"ord/+\\x';
  const escaped = (text: string): string => JSON.stringify(text).slice(1, -1);
  const forms: [string, string][] = [
    ['itself', secret],
    ['base64', Buffer.from(secret).toString('base64')],
    ['base64 for URLs', Buffer.from(secret).toString('base64url')],
    ['a URL component', encodeURIComponent(secret)],
    ['JSON', escaped(secret)],
    ['JSON in JSON', escaped(escaped(secret))],
    ['JSON in ASCII in JSON', escaped(escaped(secret).replace('ä', '\\u00e4'))],
    ['JSON in ASCII', escaped(secret).replace('ä', '\\u00e4')],
    ['JSON in ASCII with capitals', escaped(secret).replace('ä', '\\u00E4')],
    ['Python', secret.replaceAll('\\', '\\\\')],
  ];
  it.each(forms)('masks a secret as %s', (_, form) => {
    expect(new Masker([secret]).mask(`before ${form} after`)).not.toContain(form);
    expect(new Masker([secret]).mask(`before ${form} after`)).toMatch(/^before \*{4}(={0,2}) after$/);
  });

  it('masks a secret in JSON with escaped markup', () => {
    const form = 'p\\u003ca\\u0026s\\u003esword';
    expect(new Masker(['p<a&s>sword']).mask(`{"msg":"${form}"}`)).toBe('{"msg":"****"}');
    expect(new Masker(['p<a&s>sword']).mask(escaped(form))).toBe('****');
  });

  it.each([
    ['the user info of Go', 'Tr0ub$dor&3/x', 'Tr0ub$dor&3%2Fx'],
    ['the user info of Go', "it's;a:b@c", 'it%27s;a%3Ab%40c'],
    ['minimally encoded user info', "it's;a:b@c/", "it's;a:b%40c%2F"],
    ['user info of a browser', "it's;a:b+c", "it's%3Ba%3Ab+c"],
    ['a whole URL of JavaScript', 'pä w"or/d?#', encodeURI('pä w"or/d?#')],
    ["PHP's JSON", 'pä/ss"word', 'p\\u00e4\\/ss\\"word'],
  ])('masks a secret as %s', (_, secret, form) => {
    expect(new Masker([secret]).mask(`https://ann:${form}@host`)).toBe('https://ann:****@host');
  });

  const [unix, windows] = ['ab12\ncd34\nef56', 'ab12\r\ncd34\r\nef56'];
  it.each([
    ['itself', windows],
    ['base64', Buffer.from(windows).toString('base64').replace(/=+$/, '')],
    ['a URL component', encodeURIComponent(windows)],
    ['JSON', escaped(windows)],
    ['JSON in JSON', escaped(escaped(windows))],
  ])('masks a secret of several lines that end as on Windows, as %s', (_, form) => {
    for (const stored of [windows, unix, `${windows}\r\n`]) {
      expect(new Masker([stored]).mask(`before ${form} after`)).toBe('before **** after');
    }
  });

  it.each(['', 'a', 'ab', 'user:'])('masks a secret in base64 after %j', (before) => {
    const encoded = Buffer.from(`${before}correct horse battery`).toString('base64');
    const masked = new Masker(['correct horse battery']).mask(encoded);
    expect(masked).toContain('****');
    const left = Buffer.from(masked.replace('****', ''), 'base64').toString('latin1');
    expect(left).not.toContain('horse');
  });

  it('masks each long line of a secret separately, and no short line', () => {
    const masker = new Masker(['-----BEGIN-----\nshort\nQUJDREVGR0hJSktM\n-----END-----\n']);
    expect(masker.mask('QUJDREVGR0hJSktM')).toBe('****');
    expect(masker.mask('a short text')).toBe('a short text');
  });

  it.each([
    ['YAML', "it''s a secret"],
    ['a shell', `it'"'"'s a secret`],
    ['another shell', "it'\\''s a secret"],
  ])('masks a secret between the single quotes of %s', (_, form) => {
    expect(new Masker(["it's a secret"]).mask(`msg: '${form}'`)).toBe("msg: '****'");
  });

  it('masks a secret with control characters in the form that lines show', () => {
    expect(assemble(['pass\x01wo\x7frd'], [Buffer.from('x pass\x01wo\x7frd y\n')]).map((line) => line.text)).toEqual([
      'x **** y',
    ]);
    // Of a line that was overwritten with carriage returns, only the last content remains.
    const over = assemble(['first half\rsecond half'], [Buffer.from('first half\rsecond half\nfirst half\n')]);
    expect(over.map((line) => line.text)).toEqual(['****', '****']);
  });

  it('masks overlapping secrets completely', () => {
    expect(new Masker(['abcd1234', '1234wxyz']).mask('.abcd1234wxyz.')).toBe('.****.');
    expect(new Masker(['abcdef', 'cd12']).mask('abcdef cd12')).toBe('**** ****');
    expect(new Masker(['aaaa']).mask('aaaaaaa')).toBe('****');
  });

  it('joins the lines that one secret spans', () => {
    const lines = assemble(['one\ntwo\nthr'], [Buffer.from('a\nxone\n'), Buffer.from('two\nthree\nb\n')]);
    expect(lines.map((line) => line.text)).toEqual(['a', 'x****ee', 'b']);
    expect(lines.map((line) => line.end)).toEqual([2, 17, 19]);
  });

  it.each([
    ['the beginning of a secret', 'x S3cret!\x1b[3', 'S3cret!pass', 'x ****'],
    ['a secret and the beginning of the next', 'S3cret!passS3cret!pa', 'S3cret!pass', '********'],
    [
      'a secret that was cut inside a character',
      Buffer.from('x pässwörd-of-all').subarray(0, 9),
      'pässwörd-of-all',
      'x ****',
    ],
    ['the first lines of a secret', 'x one\ntwo\nthr', 'one\ntwo\nthree', 'x ****'],
    ['no part of a secret', 'x S3cret!pat', 'S3cret!pass', 'x S3cret!pat'],
  ])('[S6] masks %s at the end of a truncated line', (_, before, secret, expected) => {
    const bytes = Buffer.concat([Buffer.from(before), Buffer.from(`${TRUNCATED}\nThe log was cut here.\n`)]);
    for (const size of [bytes.length, 1]) {
      const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_unused, n) =>
        bytes.subarray(n * size, (n + 1) * size),
      );
      expect(assemble([secret], chunks).map((line) => line.text)).toEqual([expected, 'The log was cut here.']);
    }
  });

  it('returns the same lines for any chunks of the output, and never a secret', () => {
    const secrets = ['S3cret!pass', 'line one of key\nline two of it\nend', 'ünïcödé', 'x'.repeat(300)];
    const seeds = Array.from({ length: 60 }, (_, index) => index + 1);
    for (const seed of drawSample('cuts of output: random', seeds, 15)) {
      const random = randomFrom(seed);
      const samples = [
        ...secrets,
        'line one of key\n',
        'S3cret',
        '\n',
        '\r\n',
        'text ',
        '\x1b[31m',
        'ü',
        'x'.repeat(5000),
      ];
      const text = Array.from({ length: 60 }, () => samples[random(samples.length)] ?? '').join('');
      const bytes = Buffer.from(text);
      const whole = assemble(secrets, [bytes]);
      expect(assemble(secrets, cut(bytes, random))).toEqual(whole);
      for (const secret of secrets) expect(whole.map((line) => line.text).join('')).not.toContain(secret);
      expect(whole.at(-1)?.end ?? 0).toBe(bytes.length);
      expect(whole.map((line) => line.number)).toEqual(whole.map((_, index) => index + 1));
    }
  });

  it('masks 100,000 lines in a second of CPU time', () => {
    const key = Array.from({ length: 38 }, (_, n) => Buffer.alloc(52, n + 5).toString('base64')).join('\n');
    const masker = new Masker([key, 'password one', 'password two']);
    const line = 'ok: [host-123] => {"changed": false, "msg": "some ordinary output of a playbook that goes on"}\n';
    const bytes = Buffer.from(line.repeat(100_000));
    const assembler = new LineAssembler(masker);
    // CPU time of this thread, so that other load of the machine is not measured.
    const before = process.threadCpuUsage();
    let count = 0;
    for (let at = 0; at < bytes.length; at += 262_144) count += assembler.push(bytes.subarray(at, at + 262_144)).length;
    const { user, system } = process.threadCpuUsage(before);
    const seconds = (user + system) / 1_000_000;
    expect(count).toBe(100_000);
    // 50,000 lines a second must need only a small part of one core.
    expect(100_000 / seconds).toBeGreaterThan(100_000);
  });
});

describe('a secret with escape sequences inside', () => {
  const secret = 'correct horse';
  const red = '\x1b[01;31m';
  it.each([
    ['colours', `${red}corr\x1b[mect horse`, `${red}****\x1b[m`],
    ['the output of grep --color', `cor${red}\x1b[Krect\x1b[m\x1b[K horse`, `****${red}\x1b[m`],
    ['a hyperlink', 'correct \x1b]8;;https://host/\x1b\\horse\x1b]8;;\x1b\\', '****\x1b]8;;\x1b\\'],
    ['a hyperlink that ends with a bell', 'correct \x1b]8;;x\x07horse', '****'],
    ['a backspace', 'corr\x08ect horse', '****'],
    ['colours in JSON', 'corr\\u001b[01;31m\\u001b[Kect horse', '****'],
    ['colours in JSON inside JSON', 'corr\\\\u001B[mect horse', '****'],
    ['colours in the notation of Python and shells', 'corr\\x1b[31mect\\033[0m horse', '****'],
    ['the address of a hyperlink', '\x1b]8;;https://u:correct horse@h/\x07link', '\x1b]8;;https://u:****@h/\x07link'],
    ['the title of a window', '\x1b]0;correct horse\x07', '\x1b]0;****\x07'],
    ['a hyperlink in JSON', 'correct \\u001b]8;;https://host/\\u0007horse', '****'],
  ])('is masked: %s', (_, shown, masked) => {
    expect(new Masker([secret]).mask(`<${shown}>`)).toBe(`<${masked}>`);
  });

  it('is masked in a line of the log, which keeps its colours', () => {
    const line = `a ${red}\x1b[Kcorrect \x1b[m\x1b[Khorse b\n`;
    expect(assemble([secret], [Buffer.from(line)]).map(({ text }) => text)).toEqual([`a ${red}****\x1b[m b`]);
  });

  it('is masked for any position of the escapes, across lines, and for any chunks of the output', () => {
    const seed = Date.now() % 1_000_000;
    const random = randomFrom(seed);
    const escapes = [red, '\x1b[m', '\x1b[K', '\x1b]8;;http://h/\x07', '\\u001b[1m', '\x08'];
    const secrets = ['hunter2 is long', 'first line of it\nsecond line of it'];
    const dressed = (text: string) =>
      [...text].map((c) => (random(3) === 0 && c !== '\n' ? `${escapes[random(escapes.length)]}${c}` : c)).join('');
    for (let round = 0; round < 300; round += 1) {
      const text = secrets.map((one) => `${dressed(`before ${one}`)} after\n`).join('');
      const log = assemble(secrets, cut(Buffer.from(text), random))
        .map((line) => line.text)
        .join('\n');
      const seen = log.replaceAll(/\x1b\[[0-9;]*[mK]|\\u001b\[1m/g, '');
      for (const part of secrets.flatMap((one) => one.split('\n'))) expect(seen, `seed ${seed}`).not.toContain(part);
      expect(seen, `seed ${seed}`).toContain('before ****');
    }
  });

  it('is masked if the secret itself contains an escape, or ends like the beginning of one', () => {
    expect(new Masker(['pass\x1b[1mword']).mask('x password y')).toBe('x **** y');
    expect(new Masker(['pass\\e']).mask('x pass\\e[0m y')).toBe('x ****[0m y');
  });
});
