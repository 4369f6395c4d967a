import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { InventoryType, TemplateType } from '@signalbox/contract';
import { z } from 'zod';

/** The format of `demo/demo-project.json`; its README explains it. */
const DemoProject = z.object({
  repository: z.object({ name: z.string(), branch: z.string() }),
  vault: z.object({ name: z.string(), password: z.string() }),
  environment: z.object({ name: z.string(), json: z.string(), env: z.string() }),
  inventories: z.array(z.object({ name: z.string(), file: z.string(), type: InventoryType.default('static') })),
  views: z.array(z.string()),
  templates: z.array(
    z.object({
      name: z.string(),
      description: z.string().default(''),
      type: TemplateType,
      playbook: z.string(),
      inventory: z.string(),
      view: z.string(),
      start_version: z.string().nullable().default(null),
      builds: z
        .string()
        .optional()
        .describe('Name of the build template of a deploy; it stands before it in the list.'),
      autorun: z.boolean().default(false),
    }),
  ),
});
type DemoProject = z.output<typeof DemoProject>;

const DEMO_FOLDER = fileURLToPath(new URL('../../../demo', import.meta.url));

export interface DemoDescription extends Omit<DemoProject, 'inventories'> {
  readonly inventories: readonly { readonly name: string; readonly type: InventoryType; readonly text: string }[];
}

/** Reads the demo that comes with the product. */
export const readDemo = (folder = DEMO_FOLDER): DemoDescription => {
  const demo = DemoProject.parse(JSON.parse(readFileSync(join(folder, 'demo-project.json'), 'utf8')));
  const inventories = demo.inventories.map(({ name, file, type }) => ({
    name,
    type,
    text: readFileSync(join(folder, file), 'utf8'),
  }));
  return { ...demo, inventories };
};
