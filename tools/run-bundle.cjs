/**
 * Runs a program from its one file (decision 0057), with what V8 made of it when it was built: Node 20 keeps no
 * compiled code, and compiling is two fifths of the processor time of a start. `tools/bundle.mjs` puts this file
 * beside the programs. It is no ECMAScript module, nor are the files that call it: Node loads what runs those in 8 ms.
 */
'use strict';
const { readFileSync, writeFileSync } = require('node:fs');
const { createRequire } = require('node:module');
const path = require('node:path');
const process = require('node:process');
const v8 = require('node:v8');
const vm = require('node:vm');
const { crc32 } = require('node:zlib');

/** Four, and as many more: V8 copies code that does not begin at a multiple of eight. */
const SUM_BYTES = 8;

/** The program of this process. */
let running;

/** @param name of a file beside this one: a program, as a CommonJS module. */
function runBundle(name) {
  const file = path.join(__dirname, name);
  // Node maps the lines of what it loads itself alone.
  if (process.sourceMapsEnabled) createRequire(file)(file);
  else {
    running = loadBundle(file);
    running.run();
  }
}

/** Writes what V8 has compiled by now of the program of this process. @returns the file, if there is one. */
function keepCompiledCode() {
  return running?.keepCompiledCode();
}

/**
 * @param file of a program. What was compiled of it is used if there is any that is of this very text, and whole:
 * V8 refuses what another V8 has made, and crashes over what is damaged.
 */
function loadBundle(file) {
  const source = readFileSync(file);
  const cachedData = readCompiledCode(file, source);
  // The bundler writes nothing but ASCII, which is read the quickest so.
  const text = source.latin1Slice();
  const script = new vm.Script(
    `(function (exports, require, module, __filename, __dirname) {${text}\n})`,
    { filename: file, cachedData },
  );
  return {
    isCompiled: script.cachedDataRejected === false,
    run: () => {
      const module = { exports: {}, filename: file };
      const ours = [module.exports, createRequire(file), module, file, path.dirname(file)];
      script.runInThisContext()(...ours);
    },
    /** Writes what V8 has compiled by now. @returns the file. */
    keepCompiledCode: () => {
      const code = script.createCachedData();
      writeFileSync(nameCompiledCode(file), Buffer.concat([sum(source, code), code]));
      return nameCompiledCode(file);
    },
  };
}

function readCompiledCode(file, source) {
  let kept;
  try {
    kept = readFileSync(nameCompiledCode(file));
  } catch {
    // Built by another Node, or started with other flags: all of it is compiled.
    return undefined;
  }
  const code = kept.subarray(SUM_BYTES);
  return sum(source, code).equals(kept.subarray(0, SUM_BYTES)) ? code : undefined;
}

/** The tag differs with V8's version, its flags, and what the processor can do. */
function nameCompiledCode(file) {
  return `${file}.${v8.cachedDataVersionTag().toString(16)}.v8`;
}

/** Of what chance may change: who can write here can write another program. */
function sum(source, code) {
  const bytes = Buffer.alloc(SUM_BYTES);
  bytes.writeUInt32BE(crc32(code, crc32(source)));
  return bytes;
}

module.exports = { runBundle, keepCompiledCode, loadBundle };
