import { describe, expect, it } from 'vitest';
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

describe('the generated table of countries', () => {
  it('is what the installed CLDR package gives', () => {
    const generator = fileURLToPath(new URL('../../../tools/generate-cldr.mjs', import.meta.url));
    const { status, stderr } = spawnSync(process.execPath, [generator, '--check'], {
      encoding: 'utf8',
    });
    expect(stderr).toBe('');
    expect(status).toBe(0);
  });
});
