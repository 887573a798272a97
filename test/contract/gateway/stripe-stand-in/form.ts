/** A body or query in Stripe's form, `metadata[key]=value`, by the names as they are written. */
export type Form = Readonly<Record<string, string>>;

export function parseForm(text: string): Form {
  return Object.fromEntries(new URLSearchParams(text));
}

/** The fields under one name: `metadata[a]` is `a` of `metadata`. */
export function readGroup(form: Form, name: string): Record<string, string> {
  const start = `${name}[`;
  const entries = Object.entries(form).filter(([field]) => field.startsWith(start));
  return Object.fromEntries(
    entries.map(([field, value]) => [field.slice(start.length, -1), value]),
  );
}
