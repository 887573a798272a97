import { expect, it } from '@jest/globals';
import { KeptTemplates } from './kept-templates.js';
import { PageTemplate } from './page-template.js';

const PART = 'x'.repeat(800);
let made = 0;
const make = () => {
  made += 1;
  return PageTemplate.parse(PART);
};
/** How many of these are made anew. */
const countMade = (kept: KeptTemplates, appId: string, keys: readonly string[]) => {
  made = 0;
  for (const key of keys) kept.find(appId, key, make);
  return made;
};
const some = (count: number) => Array.from({ length: count }, (_, number) => `item ${number}`);

it('a template is made once for an app and a key', () => {
  const kept = new KeptTemplates();
  expect(countMade(kept, 'app_1', ['a', 'a', 'b', 'a'])).toBe(2);
  expect(countMade(kept, 'app_2', ['a'])).toBe(1);
});

it('an app with much to show pushes out its own templates, and no other app’s', () => {
  const kept = new KeptTemplates(4_000, 10_000);
  countMade(kept, 'small', some(3));
  countMade(kept, 'large', some(100));
  expect(countMade(kept, 'small', some(3))).toBe(0);
  expect(countMade(kept, 'large', some(100))).toBe(100);
});

it('of many apps, those go that were not looked at for longest', () => {
  const kept = new KeptTemplates(4_000, 10_000);
  for (const appId of ['first', 'second', 'third', 'fourth']) countMade(kept, appId, some(3));
  expect(countMade(kept, 'fourth', some(3))).toBe(0);
  expect(countMade(kept, 'first', some(3))).toBe(3);
});

it('what is kept from the second time on is made twice, and pushes nothing out before', () => {
  const kept = new KeptTemplates(4_000, 10_000, 'second');
  countMade(kept, 'app_1', ['a', 'a']);
  expect(countMade(kept, 'app_1', [...some(20), 'a'])).toBe(20);
  expect(countMade(kept, 'app_1', ['item 19', 'item 19'])).toBe(1);
});
