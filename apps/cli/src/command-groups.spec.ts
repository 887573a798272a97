import { describe, expect, it } from 'vitest';
import { ListCatalogFailures } from './catalog/failures.command.js';
import { TestCatalog } from './catalog/test.command.js';
import { loadCommands } from './command-groups.js';
import { ActivatePriceSheet } from './price-sheets/version.commands.js';
import { ResendWebhooks } from './webhooks/resend.command.js';

describe('the commands that are loaded', () => {
  it('are those of the group that is named first, alone', async () => {
    const [group, ...commands] = await loadCommands(['catalog', 'test', '--json']);
    expect(group).toHaveProperty('name', 'CatalogCommands');
    expect(commands).toEqual([TestCatalog, ListCatalogFailures]);
  });

  it.each([[[]], [['--help']], [['frobnicate']], [['toString']], [['help', 'catalog']]])(
    'are all of them for %j',
    async (args) => {
      const some = [ActivatePriceSheet, TestCatalog, ResendWebhooks];
      expect(await loadCommands(args)).toEqual(expect.arrayContaining(some));
    },
  );
});
