import { describe, expect, it } from 'vitest';
import { commands as catalogCommands } from './catalog/catalog.commands.js';
import { loadCommands } from './command-groups.js';
import { ActivatePriceSheet } from './price-sheets/sheet.commands.js';
import { ResendWebhooks } from './webhooks/send.commands.js';

describe('the commands that are loaded', () => {
  it('are those of the group that is named first, alone', async () => {
    const [, ...commands] = await loadCommands(['catalog', 'test', '--json']);
    expect(commands).toEqual(catalogCommands);
  });

  it.each([[[]], [['--help']], [['frobnicate']], [['toString']], [['help', 'catalog']]])(
    'are all of them for %j',
    async (args) => {
      const some = [ActivatePriceSheet, ...catalogCommands, ResendWebhooks];
      expect(await loadCommands(args)).toEqual(expect.arrayContaining(some));
    },
  );
});
