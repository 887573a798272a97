import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { CountLine, showUpload } from './progress-bar.js';

function recordTerminal(isTTY: boolean) {
  const written: string[] = [];
  return { isTTY, write: (text: string) => written.push(text), drawn: () => written.join('') };
}

describe('the bar of an upload', () => {
  async function upload(isTTY: boolean): Promise<{ bytes: string; drawn: string }> {
    const terminal = recordTerminal(isTTY);
    const bar = showUpload(8, terminal);
    const bytes = await buffer(Readable.from([Buffer.from('four'), Buffer.from('more')]).pipe(bar));
    return { bytes: bytes.toString(), drawn: terminal.drawn() };
  }

  it('passes every byte on, fills up in a terminal and is gone at the end', async () => {
    const { bytes, drawn } = await upload(true);
    expect(bytes).toBe('fourmore');
    expect(drawn).toMatch(/^\r\S+uploading \[#{15}\.{15}\] 50 %, \d+ s left/);
    expect(drawn).toMatch(/\r\S+$/);
  });

  it('is silent where the output is no terminal', async () => {
    expect(await upload(false)).toEqual({ bytes: 'fourmore', drawn: '' });
  });
});

describe('the line of a count', () => {
  const draw = (isTTY: boolean) => {
    const terminal = recordTerminal(isTTY);
    const line = new CountLine('subscriptions', terminal);
    line.draw(100);
    line.draw(200);
    line.clear();
    return terminal.drawn();
  };

  it('is drawn over itself, and is gone when all is done', () => {
    expect(draw(true).split('\r\u001b[K')).toEqual([
      '',
      '100 subscriptions so far',
      '200 subscriptions so far',
      '',
    ]);
  });

  it('is not there where the output is no terminal', () => {
    expect(draw(false)).toBe('');
  });
});
