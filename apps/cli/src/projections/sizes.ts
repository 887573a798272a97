const UNITS = ['B', 'kB', 'MB', 'GB', 'TB'] as const;

/** `1.2 MB`; three digits tell enough of an estimate. */
export function sayBytes(bytes: number): string {
  let [value, unit] = [bytes, 0];
  while (value >= 999.5 && unit < UNITS.length - 1) [value, unit] = [value / 1_000, unit + 1];
  const digits = unit === 0 || value >= 99.95 ? 0 : 1;
  return `${value.toFixed(digits)} ${UNITS[unit] ?? ''}`;
}

/** `12 s`, `4 min`, `3 h` or `2 d`. */
export function sayDuration(seconds: number): string {
  if (seconds < 10) return `${Number(seconds.toFixed(1))} s`;
  if (seconds < 120) return `${Math.round(seconds)} s`;
  if (seconds < 7_200) return `${Math.round(seconds / 60)} min`;
  return seconds < 172_800
    ? `${Math.round(seconds / 3_600)} h`
    : `${Math.round(seconds / 86_400)} d`;
}

/** `1,234,567`. */
export function sayCount(count: number): string {
  return Math.round(count).toLocaleString('en');
}
