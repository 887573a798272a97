import { describe, expect, it } from '@jest/globals';
import { readCatalog } from './parsed-answers.js';

const item = (image: string) => ({
  ...{ id: 'sword', name: 'Sword', description: 'Shines.', image },
  price: { currency: 'USD', amount: '4.99' },
});
const answer = (image: string) => Buffer.from(JSON.stringify({ rows: [{ items: [item(image)] }] }));

describe('an answer of a catalog', () => {
  it('of the same bytes is read once, and of others anew', () => {
    const image = 'https://cdn.game.example/sword.png';
    const first = readCatalog(answer(image), { allowInsecure: false });
    expect(readCatalog(answer(image), { allowInsecure: false })).toBe(first);
    const other = readCatalog(answer(`${image}?2`), { allowInsecure: false });
    expect(other).toMatchObject({ catalog: { rows: [{ items: [{ image: `${image}?2` }] }] } });
  });

  it('that a test app may have is none of another app', () => {
    const local = answer('http://127.0.0.1:9/sword.png');
    expect(readCatalog(local, { allowInsecure: true })).toMatchObject({ ok: true });
    expect(readCatalog(local, { allowInsecure: false })).toMatchObject({ ok: false });
    expect(readCatalog(local, { allowInsecure: true })).toMatchObject({ ok: true });
  });
});
