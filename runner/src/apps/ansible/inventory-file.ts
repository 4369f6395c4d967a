import { isAbsolute } from 'node:path';
import { PreparationError } from '../../errors/preparation-error.ts';
import { insideCheckout } from '../../git/inside-checkout.ts';
import { allowedPath } from '../../git/repository-address.ts';
import type { OwnedWorkspace } from '../../workspace/workspace.ts';
import type { AnsibleJob } from './ansible-job.ts';

/** The path of an inventory for ansible-playbook. Texts are written into the secrets of the workspace, never executable. */
export const inventoryPath = async (
  { type, inventory: text }: Pick<AnsibleJob['inventory'], 'type' | 'inventory'>,
  { paths, secrets }: OwnedWorkspace,
  roots: readonly string[],
): Promise<string> => {
  switch (type) {
    case 'static':
      return secrets.write('inventory', text);
    case 'static-yaml':
      return secrets.write('inventory.yml', text);
    case 'file': {
      if (!isAbsolute(text)) return insideCheckout(paths.checkout, text, 'The inventory', 'inventory');
      const path = allowedPath(text, roots);
      if (path !== undefined) return path;
      throw new PreparationError(
        'preparation',
        `The inventory ${text} does not exist or is outside the folders that SIGNALBOX_LOCAL_REPOSITORY_ROOTS lists.`,
        { code: 'inventory.outside', params: { path: text } },
      );
    }
  }
};
