import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** A folder with the files of a log. Each file is written beside its place and renamed: none is ever half there. */
export class BundleFolder {
  constructor(private readonly folder: string) {}

  has(file: string): boolean {
    return existsSync(path.join(this.folder, file));
  }

  /** The bytes of a file; undefined where there is none. */
  async read(file: string): Promise<Buffer | undefined> {
    return this.has(file) ? readFile(path.join(this.folder, file)) : undefined;
  }

  async write(file: string, bytes: Uint8Array | string): Promise<void> {
    const target = path.join(this.folder, file);
    await mkdir(path.dirname(target), { recursive: true });
    await writeFile(`${target}.part`, bytes);
    await rename(`${target}.part`, target);
  }
}
