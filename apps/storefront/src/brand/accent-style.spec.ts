import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { accentStyle, chooseTextOn, findShade } from './accent-style.js';
import { BLACK, type Color, contrast, parseColor, WHITE } from './colors.js';

const part = fc.integer({ min: 0, max: 255 });
const color = fc.tuple(part, part, part) as fc.Arbitrary<Color>;

describe('contrast', () => {
  it.each([
    ['000000', 'ffffff', 21],
    ['ffffff', 'ffffff', 1],
    // Contrasts of these by checkers of WCAG.
    ['777777', 'ffffff', 4.48],
    ['c2410c', 'ffffff', 5.18],
  ])('of %s and %s is %d, in either order', (a, b, ratio) => {
    expect(contrast(parseColor(a), parseColor(b))).toBeCloseTo(ratio, 2);
    expect(contrast(parseColor(b), parseColor(a))).toBeCloseTo(ratio, 2);
  });
});

describe('the accent colour of a studio', () => {
  it('has text on it that can be read, whatever it is', () => {
    fc.assert(fc.property(color, (accent) => contrast(accent, chooseTextOn(accent)) >= 4.5));
  });

  it('has white text where that can be read, else black text', () => {
    expect(chooseTextOn(parseColor('c2410c'))).toEqual(WHITE);
    expect(chooseTextOn(parseColor('ffd60a'))).toEqual(BLACK);
  });

  it('is text in a shade that can be read, light or dark, whatever it is', () => {
    const [light, dark] = [parseColor('e6ebf7'), parseColor('2b3040')];
    fc.assert(
      fc.property(color, (accent) => {
        expect(contrast(findShade(accent, light, BLACK), light)).toBeGreaterThanOrEqual(4.5);
        expect(contrast(findShade(accent, dark, WHITE), dark)).toBeGreaterThanOrEqual(4.5);
      }),
    );
  });

  it('is text as it is where it can be read', () => {
    expect(findShade(parseColor('1f4fd1'), WHITE, BLACK)).toEqual(parseColor('1f4fd1'));
  });

  it('is a style of variables and nothing else', () => {
    const style = accentStyle('C2410C');
    expect(style).toContain('--accent: #c2410c;');
    expect(style).toContain('--on-accent: #ffffff;');
    expect(style).toMatch(/prefers-color-scheme: dark/);
  });
});
