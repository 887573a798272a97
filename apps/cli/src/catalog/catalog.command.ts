import { Command } from 'nest-commander';
import { CommandGroup } from '../command-group.js';
import { ListCatalogFailures } from './failures.command.js';
import { TestCatalog } from './test.command.js';

@Command({
  name: 'catalog',
  description: "the catalog of an app's backend, and its failures",
  subCommands: [TestCatalog, ListCatalogFailures],
})
export class CatalogCommands extends CommandGroup {}
