/** A colour of the screen: red, green and blue from 0 to 255. */
export type Color = readonly [red: number, green: number, blue: number];

export const BLACK: Color = [0, 0, 0];
export const WHITE: Color = [255, 255, 255];

/** @param hex six digits, without the `#`. */
export function parseColor(hex: string): Color {
  const part = (start: number) => Number.parseInt(hex.slice(start, start + 2), 16);
  return [part(0), part(2), part(4)];
}

export function writeColor(color: Color): string {
  return `#${color.map((part) => part.toString(16).padStart(2, '0')).join('')}`;
}

/** WCAG 2.2, contrast ratio: from 1 for the same colour to 21 for black on white. */
export function contrast(a: Color, b: Color): number {
  const [lighter = 0, darker = 0] = [luminance(a), luminance(b)].sort((x, y) => y - x);
  return (lighter + 0.05) / (darker + 0.05);
}

/** WCAG 2.2, relative luminance. */
function luminance(color: Color): number {
  const [red = 0, green = 0, blue = 0] = color.map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** The colour that lies so far, from 0 to 1, between two colours. */
export function mix(from: Color, to: Color, share: number): Color {
  const between = (index: 0 | 1 | 2) => Math.round(from[index] + (to[index] - from[index]) * share);
  return [between(0), between(1), between(2)];
}
