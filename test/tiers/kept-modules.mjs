import vm from 'node:vm';

const SOURCE = /[\\/](apps|libs|projections)[\\/].*\.tsx?$/;
const OF_TESTS = /\.spec\.tsx?$|[\\/]spec-support[\\/]/;
const kept = new Map();
let isKeeping = false;
let importForThisFile;

/**
 * Keeps the modules of the sources for the later files of this Jest worker: to link and evaluate hundreds of
 * them for each file was most of the unit tier's time. Their state is what a process has: a spec that looks at
 * it begins with `@modules anew`, and is given modules of its own.
 */
export function keepModules() {
  vm.SourceTextModule = class extends vm.SourceTextModule {
    constructor(code, options = {}) {
      const { identifier = '', importModuleDynamically } = options;
      // The file that runs now asks its own Jest, also where a kept module imports something later.
      importForThisFile = importModuleDynamically;
      const isToKeep = isKeeping && SOURCE.test(identifier) && !OF_TESTS.test(identifier);
      const known = isToKeep && kept.get(identifier);
      if (known && known.code === code && known.module.status === 'evaluated') return known.module;
      if (!isToKeep) {
        super(code, options);
        return;
      }
      super(code, { ...options, importModuleDynamically: (...args) => importForThisFile(...args) });
      kept.set(identifier, { code, module: this });
    }
  };
}

/** To be called before each file. To watch files, and to count what is executed, all of them are needed anew. */
export function keepModulesOfFile({ watch, watchAll, collectCoverage }, { modules }) {
  isKeeping = !watch && !watchAll && !collectCoverage && modules !== 'anew';
}
