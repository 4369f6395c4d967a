import { isAbsolute } from 'node:path';
import type { JobSpec } from '@signalbox/contract/link';
import { PreparationError } from '../../errors/preparation-error.ts';
import { insideCheckout } from '../../git/inside-checkout.ts';
import { allowedPath } from '../../git/repository-address.ts';
import { writeSecretFile } from '../../workspace/job-secrets.ts';

/** The inventory as a path for ansible-playbook; texts are written into `folder`, never executable. */
export const inventoryPath = async (
  inventory: Pick<JobSpec['inventory'], 'type' | 'inventory'>,
  options: { folder: string; checkout: string; roots: readonly string[] },
): Promise<string> => {
  const text = inventory.inventory;
  switch (inventory.type) {
    case 'static':
      return writeSecretFile(options.folder, 'inventory', text);
    case 'static-yaml':
      return writeSecretFile(options.folder, 'inventory.yml', text);
    case 'file': {
      if (!isAbsolute(text)) return insideCheckout(options.checkout, text, 'The inventory', 'inventory');
      const path = allowedPath(text, options.roots);
      if (path !== undefined) return path;
      throw new PreparationError(
        'preparation',
        `The inventory ${text} does not exist or is outside the folders that SIGNALBOX_LOCAL_REPOSITORY_ROOTS lists.`,
        { code: 'inventory.outside', params: { path: text } },
      );
    }
  }
};
