import { createHash } from 'node:crypto';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { writeDurably } from '../../files/durable-file.ts';
import { KeyedMutex } from '../../process/keyed-mutex.ts';

/** Maximum number of images of a repository that one project uses without a pull. */
const MAX_IMAGES = 200;

/** Who may use the images of a repository that are on the runner. */
const Opened = z.object({
  repository: z.string(),
  /** Ids of images that were on the runner before any login was used for the repository. Every project may use them. */
  open: z.array(z.string()),
  /** Ids of images by the id of the project that has pulled them. */
  projects: z.record(z.string(), z.array(z.string())),
});
type Opened = z.infer<typeof Opened>;

/**
 * Which projects have opened images that need a login. A repository has a file as soon as a login is used for it; the images of all
 * other repositories are open to every project.
 */
export class ImageAccess {
  readonly #folder: string;
  readonly #mutex = new KeyedMutex();

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Whether a project may use an image that is on the runner without asking the registry. */
  async mayUse(repository: string, id: string, projectId: number): Promise<boolean> {
    const found = await this.#read(repository);
    return found === undefined || found.open.includes(id) || (found.projects[projectId]?.includes(id) ?? false);
  }

  /**
   * Notes that a repository needs a login, before an image is pulled with it.
   * @param present returns the ids of its images that are on the runner now
   */
  async restrict(repository: string, present: () => Promise<readonly string[]>, signal: AbortSignal): Promise<void> {
    await this.#mutex.run(repository, signal, async () => {
      if (await this.#read(repository)) return;
      await this.#write({ repository, open: [...(await present())], projects: {} });
    });
  }

  /** Notes that the registry gave an image of a repository to a project. Open repositories need no note. */
  async allow(repository: string, id: string, projectId: number, signal: AbortSignal): Promise<void> {
    await this.#mutex.run(repository, signal, async () => {
      const found = await this.#read(repository);
      const before = found?.projects[projectId] ?? [];
      if (found === undefined || before.at(-1) === id) return;
      const ids = [...before.filter((other) => other !== id), id].slice(-MAX_IMAGES);
      await this.#write({ ...found, projects: { ...found.projects, [projectId]: ids } });
    });
  }

  #fileOf(repository: string): string {
    return join(this.#folder, `${createHash('sha256').update(repository).digest('hex').slice(0, 32)}.json`);
  }

  /** @throws Error if the file cannot be read: then it is not known who may use the images */
  async #read(repository: string): Promise<Opened | undefined> {
    try {
      return Opened.parse(JSON.parse(await readFile(this.#fileOf(repository), 'utf8')));
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
      throw error;
    }
  }

  async #write(opened: Opened): Promise<void> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    await writeDurably(this.#fileOf(opened.repository), JSON.stringify(opened));
  }
}
