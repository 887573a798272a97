import { describe, expect, it } from 'vitest';
import { CountLine } from './count-line.js';

describe('the line of a count', () => {
  const draw = (isTTY: boolean) => {
    const written: string[] = [];
    const line = new CountLine('subscriptions', { isTTY, write: (text) => written.push(text) });
    line.draw(100);
    line.draw(200);
    line.clear();
    return written.join('');
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
