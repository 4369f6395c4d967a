import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { contentSecurityPolicy } from '../edge/security-headers.ts';
import { ApiError, notFound } from '../errors/api-error.ts';

const HEAD_POSITION = '<!--signalbox:head-->';
const NONCE_BYTES = 16;

/**
 * Serves the built page. Files of `assets/` have their content hash in their names and are cached forever, in the
 * compressed form that the build wrote. Every other path answers the page itself with a new nonce.
 * @param folder output folder of the build
 */
export const servePage = async (app: FastifyInstance, folder: string, pathPrefix: string): Promise<void> => {
  const index = join(folder, 'index.html');
  const assets = join(folder, 'assets/');
  await app.register(fastifyStatic, {
    root: folder,
    prefix: '/',
    index: false,
    preCompressed: true,
    // Hidden files of the build are not served.
    dotfiles: 'ignore',
    setHeaders: (reply, path) => {
      reply.header('cache-control', path.startsWith(assets) ? 'public, max-age=31536000, immutable' : 'no-cache');
    },
  });

  const sendPage = (reply: FastifyReply): FastifyReply => {
    // Read for each request: after a rebuild under a running server, the page must not refer to files of the old
    // build.
    if (!existsSync(index)) throw new ApiError('unavailable.page');
    const template = readFileSync(index, 'utf8');
    const nonce = randomBytes(NONCE_BYTES).toString('base64');
    const head = `<base href="${pathPrefix}/"><meta name="csp-nonce" content="${nonce}">`;
    return reply
      .header('content-security-policy', contentSecurityPolicy(nonce))
      .header('cache-control', 'no-store')
      .type('text/html; charset=utf-8')
      .send(template.replace(HEAD_POSITION, () => head));
  };
  // The raw file has neither nonce nor base. Below /api, one path is a page for people.
  for (const url of ['/', '/index.html', '/api/docs']) app.get(url, (_request, reply) => sendPage(reply));
  app.setNotFoundHandler((request, reply) => {
    const path = request.url.split('?')[0] ?? '/';
    const wantsPage = request.method === 'GET' || request.method === 'HEAD';
    if (!wantsPage || /^\/(api|assets)(\/|%2f|$)/i.test(path)) throw notFound();
    return sendPage(reply);
  });
};
