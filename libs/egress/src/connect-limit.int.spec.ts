import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { createConnect } from './connector.js';

describe('a connection to a receiver that never answers', () => {
  it('is given up after 5 s, whatever is collected of memory meanwhile', async () => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const collecting = setInterval(collect, 1_000);
    const lookUp = (_: string, signal: AbortSignal) =>
      new Promise<never>((_resolve, reject) => {
        // Whatever it is rejected with, the signal's reason counts.
        signal.addEventListener('abort', () => reject(new Error('aborted')));
      });
    const stop = new AbortController();
    // An attempt has 15 s in all.
    const attempt = setTimeout(() => stop.abort(new Error('the whole attempt')), 8_000);
    const connect = createConnect({ allowInsecure: false }, { lookUp });
    const target = { hostname: 'silent.example', protocol: 'https:', port: '443' };
    await expect(connect(target, stop.signal)).rejects.toMatchObject({ name: 'TimeoutError' });
    clearTimeout(attempt);
    clearInterval(collecting);
  }, 15_000);
});
