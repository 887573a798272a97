/**
 * What programs get of our own environment: where to find what, how to speak, what Node itself
 * reads. Secrets and settings that are not theirs stay here (rules/running 6).
 */
const INHERITED =
  /^(PATH|HOME|USER|LOGNAME|LANG|LANGUAGE|LC_\w+|TZ|TMPDIR|NODE_OPTIONS|NODE_EXTRA_CA_CERTS|SSL_CERT_(FILE|DIR))$/;

/** The environment of a program: what everybody gets, and its own variables. */
export function environmentFor(
  own: Readonly<Record<string, string>>,
  ours: NodeJS.ProcessEnv = process.env,
): Record<string, string> {
  const inherited: Record<string, string> = {};
  for (const [name, value] of Object.entries(ours)) {
    if (value !== undefined && INHERITED.test(name)) inherited[name] = value;
  }
  return { ...inherited, ...own };
}
