import { BLACK, type Color, contrast, mix, parseColor, WHITE, writeColor } from './colors.js';

/** WCAG 2.2, 1.4.3: text of any size can be read from this contrast on. */
const READABLE = 4.5;
/** A shade is looked for in steps that an eye can just tell apart. */
const STEP = 0.04;
/** The least contrast of text to the backgrounds of pages: `--tint` of assets/storefront.css in light and in dark. */
const BEHIND: Readonly<Record<'light' | 'dark', Color>> = {
  light: parseColor('e6ebf7'),
  dark: parseColor('2b3040'),
};

/**
 * The style of a studio's accent colour: buttons have the colour itself, with black or white text on it, and text has
 * the nearest shade of it that can be read in light and in dark (rules/storefront 8).
 *
 * @param hex six digits, without the `#`.
 */
export function accentStyle(hex: string): string {
  const accent = parseColor(hex);
  const colors = {
    '--accent': writeColor(accent),
    '--on-accent': writeColor(chooseTextOn(accent)),
    '--accent-text': writeColor(findShade(accent, BEHIND.light, BLACK)),
  };
  const dark = { '--accent-text': writeColor(findShade(accent, BEHIND.dark, WHITE)) };
  return `${root(colors)}\n@media (prefers-color-scheme: dark) {\n${root(dark)}\n}\n`;
}

/** Black or white: one of them can be read on every colour. */
export function chooseTextOn(background: Color): Color {
  return contrast(background, WHITE) >= READABLE ? WHITE : BLACK;
}

/** The colour, or as little of `towards` in it as lets it be read. */
export function findShade(color: Color, behind: Color, towards: Color): Color {
  for (let share = 0; share < 1; share += STEP) {
    const shade = mix(color, towards, share);
    if (contrast(shade, behind) >= READABLE) return shade;
  }
  return towards;
}

function root(colors: Readonly<Record<string, string>>): string {
  const lines = Object.entries(colors).map(([name, value]) => `  ${name}: ${value};`);
  return [':root {', ...lines, '}'].join('\n');
}
