/**
 * The variables that programs inherit from our environment: paths, language and settings of Node
 * itself. Secrets and settings of other programs are not passed on (rules/running 6).
 */
const INHERITED =
  /^(PATH|HOME|USER|LOGNAME|LANG|LANGUAGE|LC_\w+|TZ|TMPDIR|NODE_OPTIONS|NODE_EXTRA_CA_CERTS|SSL_CERT_(FILE|DIR))$/;

/** The environment of a program: the inherited variables and its own. */
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
