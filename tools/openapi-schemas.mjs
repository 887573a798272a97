/** The changes of one schema that break callers of an earlier form of it. */

/** Lower than before, they refuse requests that were taken. */
const UPPER_BOUNDS = ['maxLength', 'maximum', 'maxItems', 'maxProperties'];
const LOWER_BOUNDS = ['minLength', 'minimum', 'minItems', 'minProperties'];
const FORMS = ['pattern', 'format'];
const CHOICES = ['oneOf', 'anyOf'];

/**
 * Names of components may change (decision 0002), so references are followed.
 *
 * @param context where it is, whether it is of a `request` or an `answer`, and how references are resolved.
 * @returns one line for each change that breaks something.
 */
export function compareSchemas(earlier, later, context, seen = new Set()) {
  const [was, is] = [splitNull(earlier, context.before), splitNull(later, context.after)];
  const before = unfold(was.schema, context.before);
  const after = unfold(is.schema, context.after);
  if (before === undefined || after === undefined) return [];
  // A schema may hold itself.
  if (seen.has(before)) return [];
  const inner = new Set(seen).add(before);
  return [
    ...nullChanges(was.isNullable, is.isNullable, context),
    ...typeChanges(before, after, context),
    ...removedValues(before, after, context),
    ...fieldChanges(before, after, context, inner),
    ...choiceChanges(before, after, context, inner),
    ...(before.items !== undefined
      ? compareSchemas(before.items, after.items, within(context, '[]'), inner)
      : []),
    ...(context.direction === 'request' ? narrowedBounds(before, after, context) : []),
  ];
}

/** The target of a reference; the parts of `allOf`, as one. */
function unfold(schema, resolve) {
  const found = resolve(schema);
  if (found?.allOf === undefined) return found;
  const { allOf, ...own } = found;
  return [own, ...allOf.map((part) => unfold(part, resolve))].reduce((all, part) => ({
    ...all,
    ...part,
    properties: { ...all.properties, ...part.properties },
    required: [...(all.required ?? []), ...(part.required ?? [])],
  }));
}

/** A choice between null and one other schema is that one, and null. */
function splitNull(schema, resolve) {
  const choices = resolve(schema)?.anyOf;
  const others = choices?.filter(({ type }) => type !== 'null') ?? [];
  const isNullable = others.length === 1 && choices.length === 2;
  return { schema: isNullable ? others[0] : schema, isNullable };
}

function nullChanges(wasNullable, isNullable, { where, direction }) {
  if (wasNullable === isNullable) return [];
  if (isNullable) return direction === 'answer' ? [`${where}: may be null now`] : [];
  return direction === 'request' ? [`${where}: can no longer be null`] : [];
}

function typeChanges(before, after, { where }) {
  if (before.type === undefined || after.type === undefined) return [];
  const [known, found] = [[before.type].flat().sort(), [after.type].flat().sort()];
  return known.join() === found.join() ? [] : [`${where}: ${known.join()} became ${found.join()}`];
}

function removedValues(before, after, { where, direction }) {
  if (after.enum === undefined && after.const === undefined) return [];
  const found = new Set(after.enum ?? [after.const]);
  const known = before.enum ?? (before.const === undefined ? undefined : [before.const]);
  if (known === undefined) {
    return direction === 'request' ? [`${where}: limited to ${[...found].join(', ')}`] : [];
  }
  return known.filter((value) => !found.has(value)).map((value) => `${where}: ${value} removed`);
}

function fieldChanges(before, after, context, seen) {
  const { where, direction } = context;
  const [known, found] = [before.properties ?? {}, after.properties ?? {}];
  const [wasRequired, isRequired] = [new Set(before.required), new Set(after.required)];
  const changes = Object.keys(known).flatMap((name) => {
    if (found[name] === undefined) return [`${where}.${name}: removed`];
    return compareSchemas(known[name], found[name], within(context, `.${name}`), seen);
  });
  const differing =
    direction === 'request'
      ? [...isRequired].filter((name) => !wasRequired.has(name)).map((name) => [name, 'newly'])
      : [...wasRequired]
          .filter((name) => !isRequired.has(name) && found[name] !== undefined)
          .map((name) => [name, 'no longer']);
  return [...changes, ...differing.map(([name, how]) => `${where}.${name}: ${how} required`)];
}

/** Alternatives differ by their place: a new one goes behind the others. */
function choiceChanges(before, after, context, seen) {
  return CHOICES.flatMap((choice) =>
    (before[choice] ?? []).flatMap((schema, index) => {
      const found = after[choice]?.[index];
      const at = within(context, `<${index + 1}>`);
      return found === undefined
        ? [`${at.where}: removed`]
        : compareSchemas(schema, found, at, seen);
    }),
  );
}

function narrowedBounds(before, after, { where }) {
  const isNarrower = (name, compare) =>
    after[name] !== undefined && (before[name] === undefined || compare(after[name], before[name]));
  return [
    ...UPPER_BOUNDS.filter((name) => isNarrower(name, (a, b) => a < b)),
    ...LOWER_BOUNDS.filter((name) => isNarrower(name, (a, b) => a > b)),
    ...FORMS.filter((name) => isNarrower(name, (a, b) => a !== b)),
  ].map((name) => `${where}: ${name} is ${after[name]}, was ${before[name] ?? 'not there'}`);
}

function within(context, part) {
  return { ...context, where: context.where + part };
}
