import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { makeApp } from '../edge/app.ts';
import { servePage } from './page.ts';

const SCRIPT = `console.log("${'x'.repeat(2000)}");`;
let folder: string;

/** The output of a build, with a file next to it that must never be served. */
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'signalbox-page-assets-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const put = (path: string, content: string | Buffer): void => {
    mkdirSync(join(folder, path, '..'), { recursive: true });
    writeFileSync(join(folder, path), content);
  };
  put('assets/dist/index.html', '<html><head><!--signalbox:head--></head><body>page</body></html>');
  put('assets/dist/theme.js', 'theme');
  put('assets/dist/.signalbox-source', 'hidden notes');
  put('assets/dist/assets/app-1a2b.js', SCRIPT);
  put('assets/dist/assets/app-1a2b.js.br', brotliCompressSync(SCRIPT));
  put('assets/dist/assets/app-1a2b.js.gz', gzipSync(SCRIPT));
  put('assets/secret.txt', 'secret');
});

const start = async (pathPrefix = '') => {
  const app = await makeApp({
    logLevel: 'silent',
    trustedProxies: [],
    pathPrefix,
    databaseErrors: { isUnavailable: () => false, isFull: () => false, isDangling: () => false },
  });
  onTestFinished(() => app.close());
  await servePage(app, join(folder, 'assets', 'dist'), pathPrefix);
  return (url: string, headers: Record<string, string> = {}, method: 'GET' | 'HEAD' | 'POST' = 'GET') =>
    app.inject({ method, url, headers });
};

const nonceOf = (body: string): string => /name="csp-nonce" content="([^"]+)"/.exec(body)?.[1] ?? '';

describe('[S13] the page', () => {
  it('is served under every path with a new nonce that its policy names', async () => {
    const get = await start();
    const nonces = new Set<string>();
    for (const url of ['/', '/project/1/templates', '/index.html', '/assetsx', '/project/1/', '/?x=1', '/api/docs']) {
      const answer = await get(url);
      expect(answer.statusCode, url).toBe(200);
      expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
      expect(answer.headers['cache-control']).toBe('no-store');
      const nonce = nonceOf(answer.body);
      const policy = String(answer.headers['content-security-policy']);
      expect(nonce).toMatch(/^[A-Za-z0-9+/]{22}==$/);
      expect(policy).toContain(`script-src 'self' 'nonce-${nonce}'`);
      expect(policy).toContain(`style-src 'self' 'nonce-${nonce}'`);
      expect(policy).not.toMatch(/unsafe|\*|http:/);
      nonces.add(nonce);
    }
    expect(nonces.size).toBe(7);
  });

  it('is the newest build, and before the first build an answer with advice', async () => {
    const index = join(folder, 'assets', 'dist', 'index.html');
    const get = await start();
    rmSync(index);
    const missing = await get('/');
    expect(missing.statusCode).toBe(503);
    expect(missing.json()).toMatchObject({ code: 'unavailable.page', error: expect.stringContaining('npm start') });
    writeFileSync(index, '<html><head><!--signalbox:head--></head><body>new page</body></html>');
    expect((await get('/')).body).toContain('new page');
  });

  it('has the base of the public address, whether or not the proxy removes the path', async () => {
    expect((await (await start())('/')).body).toContain('<base href="/">');
    const get = await start('/$&box');
    for (const url of ['/$&box/project/1', '/project/1', '/$&box/']) {
      expect((await get(url)).body, url).toContain('<base href="/$&box/">');
    }
    expect((await get('/$&box/assets/app-1a2b.js')).body).toBe(SCRIPT);
  });

  it('is not served for unknown calls, assets and writes', async () => {
    const get = await start();
    for (const url of [
      '/api',
      '/api/',
      '/api/nope',
      '/api/docs/nope',
      '/api/docsx',
      '/API/nope',
      '/api%2fnope',
      '/assets/',
      '/assets',
      '/assets/gone.js',
    ]) {
      const answer = await get(url);
      expect(answer.statusCode, url).toBe(404);
      expect(answer.json(), url).toMatchObject({ code: 'not_found' });
    }
    expect((await get('/', {}, 'POST')).statusCode).toBe(404);
  });

  it('never serves files outside its folder or internal files of the build', async () => {
    const get = await start();
    for (const url of [
      '/../secret.txt',
      '/..%2fsecret.txt',
      '/%2e%2e/secret.txt',
      '/%2e%2e%2fsecret.txt',
      '/assets/..%2f..%2fsecret.txt',
      '/assets/%2e%2e/%2e%2e/secret.txt',
      '/..%5csecret.txt',
      '/%252e%252e%252fsecret.txt',
      '/assets/..%00/secret.txt',
      '//secret.txt',
      '/.signalbox-source',
      '/%2esignalbox-source',
      `${join(folder, 'assets', 'secret.txt')}`,
    ]) {
      const answer = await get(url);
      expect(answer.statusCode, url).toBeLessThan(500);
      expect(answer.body, url).not.toMatch(/secret|hidden/);
    }
  });
});

describe('the files of the page', () => {
  it('are cached forever if their name contains a hash, and revalidated otherwise', async () => {
    const get = await start();
    expect((await get('/assets/app-1a2b.js')).headers['cache-control']).toBe('public, max-age=31536000, immutable');
    // The product itself may be installed in a folder named assets.
    expect((await get('/theme.js')).headers['cache-control']).toBe('no-cache');
  });

  it('are compressed for clients that accept it', async () => {
    const get = await start();
    for (const [accept, encoding] of [
      ['gzip, deflate, br', 'br'],
      ['gzip', 'gzip'],
      ['identity', undefined],
    ] as const) {
      const answer = await get('/assets/app-1a2b.js', { 'accept-encoding': accept });
      expect(answer.headers['content-encoding'], accept).toBe(encoding);
      expect(answer.headers['content-type']).toContain('javascript');
      expect(String(answer.headers.vary).toLowerCase()).toContain('accept-encoding');
      if (encoding === undefined) expect(answer.body).toBe(SCRIPT);
      else expect(answer.rawPayload.length).toBeLessThan(SCRIPT.length / 10);
    }
  });
});
