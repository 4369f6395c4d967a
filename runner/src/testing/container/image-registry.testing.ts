import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';

const digestOf = (content: Buffer): string => `sha256:${createHash('sha256').update(content).digest('hex')}`;

/** The end of an archive without files. */
const LAYER = Buffer.alloc(1024);

/** A registry on this machine whose only image, `team/private:1`, needs the login `robot`. */
export class ImageRegistry {
  readonly #server: Server;
  readonly #content = new Map<string, { readonly type: string; readonly body: Buffer }>();
  password = 'secret';
  /** How often the image was requested. */
  pulls = 0;

  private constructor() {
    const layer = gzipSync(LAYER);
    const config = Buffer.from(
      JSON.stringify({
        ...{ architecture: process.arch === 'x64' ? 'amd64' : process.arch, os: 'linux' },
        ...{ created: new Date().toISOString(), config: {}, rootfs: { type: 'layers', diff_ids: [digestOf(LAYER)] } },
      }),
    );
    const type = (name: string) => `application/vnd.oci.image.${name}`;
    const entry = (mediaType: string, body: Buffer) => ({ mediaType, digest: digestOf(body), size: body.length });
    const manifest = Buffer.from(
      JSON.stringify({
        ...{ schemaVersion: 2, mediaType: type('manifest.v1+json') },
        config: entry(type('config.v1+json'), config),
        layers: [entry(type('layer.v1.tar+gzip'), layer)],
      }),
    );
    for (const blob of [layer, config])
      this.#content.set(`/v2/team/private/blobs/${digestOf(blob)}`, { type: 'application/octet-stream', body: blob });
    const found = { type: type('manifest.v1+json'), body: manifest };
    for (const name of ['1', digestOf(manifest)]) this.#content.set(`/v2/team/private/manifests/${name}`, found);
    this.#server = createServer(({ url = '', headers, method }, response) => {
      const login = Buffer.from(headers.authorization?.split(' ')[1] ?? '', 'base64').toString();
      if (login !== `robot:${this.password}`) {
        response.writeHead(401, { 'www-authenticate': 'Basic realm="images"' }).end();
        return;
      }
      const answer = url === '/v2/' ? { type: 'application/json', body: Buffer.from('{}') } : this.#content.get(url);
      if (url.endsWith('/manifests/1') && method === 'GET') this.pulls += 1;
      if (answer === undefined) response.writeHead(404).end();
      else
        response
          .writeHead(200, { 'content-type': answer.type, 'content-length': answer.body.length })
          .end(method === 'HEAD' ? undefined : answer.body);
    });
  }

  /** Starts a registry, and writes a configuration with which podman uses it without a certificate. */
  static async start(configuration: string): Promise<ImageRegistry> {
    const registry = new ImageRegistry();
    await new Promise<void>((resolve) => registry.#server.listen(0, '127.0.0.1', resolve));
    writeFileSync(configuration, `[[registry]]\nlocation = "${registry.#address}"\ninsecure = true\n`);
    return registry;
  }

  get #address(): string {
    return `127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  get image(): string {
    return `${this.#address}/team/private:1`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
