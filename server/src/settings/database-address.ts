import { readFileSync } from 'node:fs';

/** Matches the start of an address with a user and without a password, up to the `@`. */
const WITHOUT_PASSWORD = /^(postgres(?:ql)?:\/\/[^:@/?#]+)(?=@)/;

/** Whether the PostgreSQL client can parse the URL. A `%` in a password must be written as `%25`. */
export const isDatabaseUrl = (value: string): boolean => {
  try {
    decodeURIComponent(value);
  } catch {
    return false;
  }
  // The URL of a socket has no host, which URL.canParse requires after a user.
  return URL.canParse(value.replace('@/', '@socket/'));
};

type Address = { readonly url: string | undefined } | { readonly failure: string };

/**
 * Returns the address of the database with the password from the file, or what is wrong with the file. The caller puts
 * the name of the setting before this text.
 */
export const databaseAddress = (url: string | undefined, file: string | undefined): Address => {
  if (file === undefined) return { url };
  if (url === undefined || !WITHOUT_PASSWORD.test(url)) {
    return { failure: 'needs a DATABASE_URL with a user and without a password, such as postgres://user@host/name' };
  }
  let password: string;
  try {
    password = readFileSync(file, 'utf8').trim();
  } catch (error) {
    return { failure: `cannot be read (${(error as Error).message}): let the user of the server read it` };
  }
  if (password === '') return { failure: `names the empty file ${file}: write the password into it` };
  return { url: url.replace(WITHOUT_PASSWORD, (user) => `${user}:${encodeURIComponent(password)}`) };
};
