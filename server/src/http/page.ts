import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { ApiError, notFound } from './api-error.ts';
import { contentSecurityPolicy } from './security-headers.ts';

const HEAD_PLACE = '<!--signalbox:head-->';
const NONCE_BYTES = 16;

/**
 * Serves the built page: the files of `assets/` are named by their content and cached for ever, in the compressed form
 * that the build wrote beside each; every other address answers the page itself with a nonce of its own.
 * @param folder where the build wrote the page.
 */
export const servePage = async (app: FastifyInstance, folder: string, pathPrefix: string): Promise<void> => {
  const index = join(folder, 'index.html');
  const assets = join(folder, 'assets/');
  await app.register(fastifyStatic, {
    root: folder,
    prefix: '/',
    index: false,
    preCompressed: true,
    // What the build notes down for itself is nobody's business.
    dotfiles: 'ignore',
    setHeaders: (reply, path) => {
      reply.header('cache-control', path.startsWith(assets) ? 'public, max-age=31536000, immutable' : 'no-cache');
    },
  });

  const sendPage = (reply: FastifyReply): FastifyReply => {
    // Read each time: a page that is built anew under a running server must not ask for the files of the old one.
    if (!existsSync(index)) throw new ApiError('unavailable.page');
    const template = readFileSync(index, 'utf8');
    const nonce = randomBytes(NONCE_BYTES).toString('base64');
    const head = `<base href="${pathPrefix}/"><meta name="csp-nonce" content="${nonce}">`;
    return reply
      .header('content-security-policy', contentSecurityPolicy(nonce))
      .header('cache-control', 'no-store')
      .type('text/html; charset=utf-8')
      .send(template.replace(HEAD_PLACE, () => head));
  };
  // The file itself has neither nonce nor base; and of what lies below /api, people read one address.
  for (const url of ['/', '/index.html', '/api/docs']) app.get(url, (_request, reply) => sendPage(reply));
  app.setNotFoundHandler((request, reply) => {
    const path = request.url.split('?')[0] ?? '/';
    const wantsPage = request.method === 'GET' || request.method === 'HEAD';
    if (!wantsPage || /^\/(api|assets)(\/|%2f|$)/i.test(path)) throw notFound();
    return sendPage(reply);
  });
};
