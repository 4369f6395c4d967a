import { hashPassword } from '../secrets/password.ts';

/** Hashes the password of a user of a test. Nearly every test signs in, and none needs a hash that takes long to guess. */
export const quickHash = (password: string): Promise<string> => hashPassword(password, { memory: 8, passes: 1 });
