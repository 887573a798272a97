import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';

type Folder =
  | ExampleFolder
  | ('documents' | 'errors' | 'events' | 'list-orders' | 'samples' | 'webhooks' | 'wire');

/** Of the document of the API, and of that of the storefront. */
export type ExampleFolder = 'examples' | 'storefront-examples';

/**
 * Golden files hold the formats that others rely on: stored events, wire objects, webhooks. One that is missing is
 * written when UPDATE_GOLDEN is set; one that is there is never overwritten. A stored event that changes its shape is a
 * new version with a file of its own, and the old file stays for ever.
 */
export function golden(folder: Folder, name: string, found: string): string {
  const file = new URL(`golden/${folder}/${name}.json`, import.meta.url);
  if (!existsSync(file)) {
    if (process.env['UPDATE_GOLDEN'] === undefined) {
      throw new Error(
        `golden/${folder}/${name}.json is missing; with UPDATE_GOLDEN=1 it is written`,
      );
    }
    writeFileSync(file, found);
  }
  return readFileSync(file, 'utf8');
}

/** The names of the golden files of a folder. */
export function goldenNames(folder: Folder): string[] {
  return readdirSync(new URL(`golden/${folder}/`, import.meta.url)).map((file) =>
    file.replace(/\.json$/, ''),
  );
}

/** As golden files have it: readable, and with the fields in their order. */
export function pretty(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
