import { Command } from 'nest-commander';
import { CommandGroup } from '../cli-command.js';
import { ListCatalogFailures } from './failures.command.js';
import { TestCatalog } from './test.command.js';

const subCommands = [TestCatalog, ListCatalogFailures];

@Command({
  name: 'catalog',
  description: "the catalog of an app's backend, and its failures",
  subCommands,
})
class CatalogCommands extends CommandGroup {}

/** The group's own name first. */
export const commands = [CatalogCommands, ...subCommands];
