/**
 * A part of an OpenAPI document with everything that it refers to, for the page at /docs. Swagger UI reads the whole
 * document for each part of a 3.1 one, which takes seconds of a processor; ours refers to itself alone. It is written
 * into the page as its text, so that it knows nothing beside its arguments.
 *
 * @param path the names that lead to the part. @returns in Swagger UI's own form (`resolveSubtree`).
 */
export async function resolveInDocument(document: unknown, path: readonly string[]) {
  const find = (names: readonly string[]): unknown =>
    names.reduce(
      (at, name) => (at as Readonly<Record<string, unknown>> | undefined)?.[name],
      document,
    );
  const unescape = (part: string) => part.replaceAll('~1', '/').replaceAll('~0', '~');
  const resolve = (value: unknown, within: readonly string[]): unknown => {
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return value.map((item) => resolve(item, within));
    const { $ref, ...own } = value as Readonly<Record<string, unknown>>;
    const isAddress = typeof $ref === 'string';
    // A schema may come back to itself, and ends there.
    if (isAddress && within.includes($ref)) return value;
    const said = Object.entries(own).map(([name, item]) => [name, resolve(item, within)]);
    if (!isAddress) return Object.fromEntries(said);
    const meant = resolve(find($ref.split('/').slice(1).map(unescape)), [...within, $ref]);
    // The page heads a schema with the name by which it was found.
    return { ...(meant as object), ...Object.fromEntries(said), $$ref: $ref };
  };
  return { spec: resolve(find(path), []), errors: [] };
}
