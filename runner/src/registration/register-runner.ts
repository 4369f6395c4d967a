import { request as httpRequest, type RequestOptions } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { z } from 'zod';
import { makeServerAgent, type ServerAccess } from '../link/server-agent.ts';

/** Maximum number of characters of an answer. */
const MAX_ANSWER = 100_000;
const TIMEOUT_MS = 30_000;

const Registered = z.object({ name: z.string(), token: z.string().min(1) });
const Refusal = z.object({ error: z.string() });

/** What a runner sends to be registered. */
export interface Registration {
  readonly token: string;
  readonly name: string | null;
  readonly host_name: string;
  readonly description: string;
  readonly ephemeral: boolean;
}

/** The server refused, or cannot be reached. The message can be shown. */
export class NotRegistered extends Error {}

interface Answer {
  readonly status: number;
  readonly text: string;
}

const post = (url: URL, body: string, access: ServerAccess): Promise<Answer> => {
  const agent = makeServerAgent(url.href, access);
  const headers = { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(body)) };
  const options: RequestOptions = { method: 'POST', headers, timeout: TIMEOUT_MS, ...(agent && { agent }) };
  return new Promise((resolve, reject) => {
    const request = (url.protocol === 'https:' ? httpsRequest : httpRequest)(url, options, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => {
        text += chunk;
        if (text.length > MAX_ANSWER) response.destroy(new Error('its answer is too long'));
      });
      response.on('error', reject);
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
    });
    request.on('timeout', () => request.destroy(new Error(`no answer within ${TIMEOUT_MS / 1000} s`)));
    request.on('error', reject);
    request.end(body);
  });
};

const parse = <T>(schema: z.ZodType<T>, text: string): T | undefined => {
  try {
    return schema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
};

/**
 * Registers this machine as a runner.
 * @throws NotRegistered
 */
export const registerRunner = async (
  server: string,
  registration: Registration,
  access: ServerAccess,
): Promise<z.infer<typeof Registered>> => {
  const url = new URL(`${server}/api/runners/register`);
  const { status, text } = await post(url, JSON.stringify(registration), access).catch((error: Error) => {
    throw new NotRegistered(`${server} cannot be reached: ${error.message || String(error)}`);
  });
  const registered = status === 201 ? parse(Registered, text) : undefined;
  if (registered) return registered;
  throw new NotRegistered(
    parse(Refusal, text)?.error ?? `${server} answered ${status}. Is this the address of a Signalbox server?`,
  );
};
