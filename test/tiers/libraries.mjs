import { isBuiltin } from 'node:module';
import vm from 'node:vm';

const PACKAGE = /^@?[a-z]/;
const URL_SCHEME = /^[a-z]+:/;
/** What Jest hands out itself. */
const OF_JEST = /^(@jest\/|jest-|expect$)/;
const loaded = new Map();

/**
 * Lets Node.js load the libraries, once for all files that a Jest worker runs. Jest would load and evaluate a
 * thousand of their modules anew for each file, and V8 would begin again to learn which of their functions
 * are hot. Their exports are those that programs see, as it is Node.js that finds them.
 */
export function shareLibraries() {
  vm.SourceTextModule = class extends vm.SourceTextModule {
    constructor(code, { importModuleDynamically: importOther, ...options } = {}) {
      super(code, {
        ...options,
        importModuleDynamically: (specifier, ...rest) =>
          isLibrary(specifier) ? loadLibrary(specifier) : importOther(specifier, ...rest),
      });
    }

    link(linkOther) {
      return super.link((specifier, ...rest) =>
        isLibrary(specifier) ? loadLibrary(specifier) : linkOther(specifier, ...rest),
      );
    }
  };
}

function isLibrary(specifier) {
  if (!PACKAGE.test(specifier) || URL_SCHEME.test(specifier)) return false;
  return !isBuiltin(specifier) && !OF_JEST.test(specifier);
}

function loadLibrary(specifier) {
  const known = loaded.get(specifier);
  if (known) return known;
  const library = wrapLibrary(specifier);
  loaded.set(specifier, library);
  return library;
}

async function wrapLibrary(specifier) {
  const exports = await import(specifier);
  const names = Object.keys(exports);
  const library = new vm.SyntheticModule(
    names,
    () => names.forEach((name) => library.setExport(name, exports[name])),
    { identifier: `library:${specifier}` },
  );
  await library.link(() => undefined);
  await library.evaluate();
  return library;
}
