import vm from 'node:vm';

/** The modules of the file that runs now, and those of the file before it. */
const held = [new Set(), new Set()];

/**
 * Node 20 ends with a segmentation fault where a module is evaluated whose JavaScript object was collected
 * as garbage between linking and evaluating. Jest forgets the modules of a file when it is done with it,
 * while an `import()` of that file may still be under way. So each module is held until the next file is
 * done as well.
 */
export function holdModules() {
  for (const name of ['SourceTextModule', 'SyntheticModule']) {
    vm[name] = class extends vm[name] {
      constructor(...args) {
        super(...args);
        held[0].add(this);
      }
    };
  }
}

/** To be called when a file is done. */
export function releaseModules() {
  held.unshift(new Set());
  held.pop();
}
