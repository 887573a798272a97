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

const restrictGlobals = (message, ...names) => names.map((name) => ({ name, message }));
/** Node's modules have two names each. */
const restrictImport = (message, name, importNames) =>
  [name, `node:${name}`].map((each) => ({
    ...{ name: each, message },
    ...(importNames && { importNames }),
  }));

/** An ESLint configuration: files and rules. */
export const purity = {
  files: [
    'libs/domain/**/*.ts',
    'projections/**/*.ts',
    'libs/webhooks/**/*.ts',
    'libs/seal/**/*.ts',
  ],
  ignores: ['**/*.spec.ts', '**/spec-support/**'],
  rules: {
    'no-restricted-globals': [
      'error',
      ...restrictGlobals(CLOCK, 'performance'),
      ...restrictGlobals(RANDOM, 'crypto'),
      ...restrictGlobals(ENVIRONMENT, 'process', 'globalThis', 'global'),
      ...restrictGlobals(TIMER, 'setTimeout', 'setInterval', 'setImmediate', 'queueMicrotask'),
    ],
    'no-restricted-properties': [
      'error',
      { object: 'Date', property: 'now', message: CLOCK },
      { object: 'DateTime', property: 'now', message: CLOCK },
      { object: 'Math', property: 'random', message: RANDOM },
    ],
    'no-restricted-syntax': [
      'error',
      ...[
        'NewExpression[callee.name="Date"][arguments.length=0]',
        'CallExpression[callee.name="Date"]',
        // Luxon's `local` and `utc` give the present moment when they are given none.
        'CallExpression[callee.object.name="DateTime"][callee.property.name=/^(local|utc)$/][arguments.length=0]',
      ].map((selector) => ({ selector, message: CLOCK })),
    ],
    'no-restricted-imports': [
      'error',
      {
        paths: [
          ...restrictImport(CLOCK, 'perf_hooks'),
          ...restrictImport(RANDOM, 'crypto', [
            ...['randomBytes', 'randomFillSync', 'randomInt', 'randomUUID', 'webcrypto'],
            ...['generateKeyPair', 'generateKeyPairSync'],
          ]),
          ...['process', 'os'].flatMap((name) => restrictImport(ENVIRONMENT, name)),
          ...['timers', 'timers/promises'].flatMap((name) => restrictImport(TIMER, name)),
        ],
      },
    ],
  },
};
