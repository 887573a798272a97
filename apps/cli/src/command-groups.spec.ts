import { describe, expect, it } from 'vitest';
import { CatalogCommands } from './catalog/catalog.command.js';
import { ListCatalogFailures } from './catalog/failures.command.js';
import { TestCatalog } from './catalog/test.command.js';
import { loadCommands } from './command-groups.js';
import { PriceSheets } from './price-sheets/price-sheets.command.js';
import { WebhooksCommands } from './webhooks/webhooks.command.js';

describe('the commands that are loaded', () => {
  it('are those of the group that is named first, alone', async () => {
    const commands = await loadCommands(['catalog', 'test', '--json']);
    expect(commands).toEqual([CatalogCommands, TestCatalog, ListCatalogFailures]);
  });

  it.each([[[]], [['--help']], [['frobnicate']], [['toString']], [['help', 'catalog']]])(
    'are all of them for %j',
    async (args) => {
      const some = [PriceSheets, CatalogCommands, WebhooksCommands];
      expect(await loadCommands(args)).toEqual(expect.arrayContaining(some));
    },
  );
});
