import { CatalogCommands } from './catalog.command.js';
import { ListCatalogFailures } from './failures.command.js';
import { TestCatalog } from './test.command.js';

/** The group's own name first. */
export const commands = [CatalogCommands, TestCatalog, ListCatalogFailures];
