import { describe, expect, it } from 'vitest';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { UploadProgressBar } from './progress-bar.js';

async function upload(isTTY: boolean): Promise<{ bytes: string; drawn: string }> {
  let drawn = '';
  const terminal = { isTTY, write: (text: string) => (drawn += text) };
  const bar = new UploadProgressBar('uploading', 8, terminal);
  const bytes = await buffer(Readable.from([Buffer.from('four'), Buffer.from('more')]).pipe(bar));
  return { bytes: bytes.toString(), drawn };
}

describe('the progress bar', () => {
  it('passes every byte on and fills up in a terminal', async () => {
    const { bytes, drawn } = await upload(true);
    expect(bytes).toBe('fourmore');
    expect(drawn).toMatch(/^\ruploading \[#{15}\.{15}\] 50%/);
    expect(drawn).toMatch(/\ruploading \[#{30}\] 100%\n$/);
  });

  it('is silent where the output is no terminal', async () => {
    expect(await upload(false)).toEqual({ bytes: 'fourmore', drawn: '' });
  });
});
