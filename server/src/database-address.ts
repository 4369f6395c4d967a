import { readFileSync } from 'node:fs';

const WITHOUT_PASSWORD = /^(postgres(?:ql)?:\/\/[^:@/?#]+)(?=@)/;

/** Whether the client of the database can take it apart: a % in a password, say, is to be written as %25. */
export const isDatabaseUrl = (value: string): boolean => {
  try {
    decodeURIComponent(value);
  } catch {
    return false;
  }
  // Of a socket nothing but the path is named.
  return URL.canParse(value.replace('@/', '@socket/'));
};

type Address = { readonly url: string | undefined } | { readonly fault: string };

/** Returns the address of the database with the password from the file, or a sentence without the name of the setting. */
export const databaseAddress = (url: string | undefined, file: string | undefined): Address => {
  if (file === undefined) return { url };
  if (url === undefined || !WITHOUT_PASSWORD.test(url)) {
    return { fault: 'needs a DATABASE_URL with a user and without a password, such as postgres://user@host/name' };
  }
  let password: string;
  try {
    password = readFileSync(file, 'utf8').trim();
  } catch (error) {
    return { fault: `cannot be read (${(error as Error).message}): let the user of the server read it` };
  }
  if (password === '') return { fault: `names the empty file ${file}: write the password into it` };
  return { url: url.replace(WITHOUT_PASSWORD, (user) => `${user}:${encodeURIComponent(password)}`) };
};
