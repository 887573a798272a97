import vm from 'node:vm';

const { compileFunction, SourceTextModule } = vm;
const IMPORT_CALL = /\bimport\s*\(/;
/** What V8 made of a text, by the file that it was read from. */
const functions = new Map();
const modules = new Map();

/**
 * Jest loads all modules anew for each file of tests, and V8 compiles each of them again: a fourth of a Jest
 * worker's processor time. What it has compiled once, this worker keeps and gives it for the later files. It
 * is found by the whole text, so that it is never of another one; V8 refuses what it cannot use, such as what
 * was compiled before a test set a flag. Code with an `import()` is compiled each time, since what is kept has
 * lost whom to ask for the module.
 */
export function keepCompiledCode() {
  vm.compileFunction = function compileOnce(code, params, options = {}) {
    if (IMPORT_CALL.test(code)) return compileFunction(code, params, options);
    const key = `${options.filename} ${params}`;
    const cachedData = findKept(functions, key, code);
    if (cachedData) {
      const compiled = compileFunction(code, params, { ...options, cachedData });
      if (compiled.cachedDataRejected) functions.delete(key);
      return compiled;
    }
    const compiled = compileFunction(code, params, { ...options, produceCachedData: true });
    functions.set(key, { code, cachedData: compiled.cachedData });
    return compiled;
  };
  vm.SourceTextModule = class extends SourceTextModule {
    constructor(code, options = {}) {
      const cachedData = findKept(modules, options.identifier, code);
      try {
        super(code, { ...options, cachedData });
        if (cachedData || IMPORT_CALL.test(code)) return;
      } catch (error) {
        if (error.code !== 'ERR_VM_MODULE_CACHED_DATA_REJECTED') throw error;
        super(code, options);
      }
      modules.set(options.identifier, { code, cachedData: this.createCachedData() });
    }
  };
}

function findKept(compiled, key, code) {
  const kept = compiled.get(key);
  return kept?.code === code ? kept.cachedData : undefined;
}
