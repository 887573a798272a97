/**
 * Code that decides, projects or renders has no clock, no random numbers, no environment and no timers (rules/events
 * 2): the same input gives the same output, in a replay years later too. Its imports are checked by
 * `.dependency-cruiser.mjs`; these rules are about globals.
 */

const CLOCK =
  'Pure code has no clock: take the time from the command or the event (rules/events 2).';
const RANDOM =
  'Pure code has no random numbers: take the id from the command, or derive it from ids that are there (rules/events 2).';
const ENVIRONMENT =
  'Pure code has no environment: take the setting as an argument from the program (rules/events 2).';
const TIMER =
  'Pure code does not wait: answer what is due and when, and let the worker wait (rules/events 2).';

const globals = {
  [CLOCK]: ['performance'],
  [RANDOM]: ['crypto'],
  [ENVIRONMENT]: ['process', 'globalThis', 'global'],
  [TIMER]: ['setTimeout', 'setInterval', 'setImmediate', 'queueMicrotask'],
};
const properties = {
  [CLOCK]: [
    ['Date', 'now'],
    ['DateTime', 'now'],
  ],
  [RANDOM]: [['Math', 'random']],
};
const syntax = {
  [CLOCK]: [
    'NewExpression[callee.name="Date"][arguments.length=0]',
    'CallExpression[callee.name="Date"]',
    // Luxon's `local` and `utc` give the present moment when they are given none.
    'CallExpression[callee.object.name="DateTime"][callee.property.name=/^(local|utc)$/][arguments.length=0]',
  ],
};
const imports = {
  [CLOCK]: [['perf_hooks']],
  [RANDOM]: [['crypto', ['randomBytes', 'randomFillSync', 'randomInt', 'randomUUID', 'webcrypto']]],
  [ENVIRONMENT]: [['process'], ['os']],
  [TIMER]: [['timers'], ['timers/promises']],
};

/** An ESLint configuration: files and rules. */
export const purity = {
  files: ['libs/domain/**/*.ts', 'projections/**/*.ts', 'libs/webhooks/**/*.ts'],
  ignores: ['**/*.spec.ts', '**/spec-support/**'],
  rules: {
    'no-restricted-globals': rule(globals, (message, name) => ({ name, message })),
    'no-restricted-properties': rule(properties, (message, [object, property]) => ({
      object,
      property,
      message,
    })),
    'no-restricted-syntax': rule(syntax, (message, selector) => ({ selector, message })),
    'no-restricted-imports': ['error', { paths: restrictedImports() }],
  },
};

function rule(byMessage, restrict) {
  const restrictions = Object.entries(byMessage).flatMap(([message, entries]) =>
    entries.map((entry) => restrict(message, entry)),
  );
  return ['error', ...restrictions];
}

/** Node's modules have two names each. */
function restrictedImports() {
  return Object.entries(imports).flatMap(([message, modules]) =>
    modules.flatMap(([name, importNames]) =>
      [name, `node:${name}`].map((path) => ({
        name: path,
        ...(importNames && { importNames }),
        message,
      })),
    ),
  );
}
