/**
 * The variables that programs inherit from our environment: paths, language and settings of Node
 * itself. Secrets and settings of other programs are not passed on (rules/running 6).
 */
const INHERITED =
  /^(PATH|HOME|USER|LOGNAME|LANG|LANGUAGE|LC_\w+|TZ|TMPDIR|NODE_OPTIONS|SSL_CERT_(FILE|DIR))$/;
/** Node reads this file as it starts, a system's own in 80 ms: for those that reach other machines. */
const AUTHORITIES = 'NODE_EXTRA_CA_CERTS';

interface Told {
  readonly env?: Readonly<Record<string, string>>;
  readonly reachesOut?: boolean;
}

/** The environment of a program: the inherited variables and its own. */
export function environmentFor(
  { env: own = {}, reachesOut = false }: Told,
  ours: NodeJS.ProcessEnv = process.env,
): Record<string, string> {
  const inherited: Record<string, string> = {};
  for (const [name, value] of Object.entries(ours)) {
    const isInherited = INHERITED.test(name) || (reachesOut && name === AUTHORITIES);
    if (value !== undefined && isInherited) inherited[name] = value;
  }
  return { ...inherited, ...own };
}
