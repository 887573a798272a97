/** The errors of an answer, as the API tells them (rules/catalog 3). */
export interface ToldViolations {
  readonly violations: readonly { readonly field: string; readonly description: string }[];
  readonly violationCount: number;
}

/** One line for each, and how many more there are. */
export function describeViolations({ violations, violationCount }: ToldViolations): string[] {
  const unlisted = violationCount - violations.length;
  return [
    ...violations.map(({ field, description }) => `  ${field}: ${description}`),
    ...(unlisted > 0 ? [`  and ${unlisted} more`] : []),
  ];
}
