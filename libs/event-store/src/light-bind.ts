import { AsyncResource } from 'node:async_hooks';

/** A bound function of this has a property that Node.js deprecated, and 22 took away. */
const DEPRECATED = 'asyncResource';

type AnyFunction = (this: unknown, ...args: unknown[]) => unknown;

/**
 * Has Node.js 20 bind functions to an asynchronous context as 22 does (decision 0156). Each request over HTTP/2 does so
 * once. There every bound function gets a deprecated property with a getter and a setter of its own, which was a sixth of
 * the processor time of a read of the store, and leaves garbage in V8's old memory. Where Node.js has
 * none of that, it does nothing.
 */
export function lightenBind(): void {
  const { prototype } = AsyncResource;
  if (DEPRECATED in prototype.bind.call(new AsyncResource('light-bind'), () => undefined)) {
    // As it stands in Node.js 22, whose types are the same.
    prototype.bind = bind as typeof prototype.bind;
  }
}

function bind(this: AsyncResource, fn: AnyFunction, thisArg?: unknown): AnyFunction {
  const bound =
    thisArg === undefined ? bindLoosely(this, fn) : this.runInAsyncScope.bind(this, fn, thisArg);
  return Object.defineProperty(bound, 'length', { value: fn.length, configurable: true });
}

/** With the `this` that it is called with. */
function bindLoosely(resource: AsyncResource, fn: AnyFunction): AnyFunction {
  const run = (that: unknown, args: unknown[]) => resource.runInAsyncScope(fn, that, ...args);
  return function bound(this: unknown, ...args: unknown[]) {
    return run(this, args);
  };
}
