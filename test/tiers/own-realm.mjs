import vm from 'node:vm';

/** What Jest is given as the context of tests, for it wants to have one. */
export const OWN_REALM = Object.freeze({});

/**
 * Lets tests run in the realm of their process, as programs do. Jest would give each file a context with an
 * `Error` and an `Array` of its own: what Node.js and the libraries make is none of those, no code and no
 * library can be kept for the next file, and V8 asks a proxy for every global.
 */
export function runInOwnRealm() {
  const { compileFunction } = vm;
  vm.compileFunction = (code, params, options = {}) =>
    compileFunction(code, params, withoutRealm('parsingContext', options));
  for (const name of ['SourceTextModule', 'SyntheticModule']) {
    vm[name] = class extends vm[name] {
      constructor(...args) {
        super(...args.slice(0, -1), withoutRealm('context', args.at(-1)));
      }
    };
  }
}

function withoutRealm(option, options) {
  return options[option] === OWN_REALM ? { ...options, [option]: undefined } : options;
}
