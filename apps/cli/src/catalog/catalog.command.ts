import { Command } from 'nest-commander';
import { CommandGroup } from '../command-group.js';
import { ListCatalogFailures } from './failures.command.js';
import { TestCatalog } from './test.command.js';

@Command({
  name: 'catalog',
  description: "what an app's backend says that players can buy, and what went wrong with it",
  subCommands: [TestCatalog, ListCatalogFailures],
})
export class CatalogCommands extends CommandGroup {}
