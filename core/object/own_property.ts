/**
 * Plain objects and their own properties.
 *
 * @module
 */

/** Tells whether an object is plain: made by a literal, by JSON.parse or with no prototype at all. */
export function isPlainObject(value: object): boolean {
  const prototype = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** Sets an own property, `__proto__` like any other, as JSON.parse does. */
export function setOwn<T>(
  object: { [key: string]: T },
  key: string,
  value: T,
): void {
  if (key !== "__proto__") object[key] = value;
  else {
    Object.defineProperty(object, key, {
      value,
      writable: true,
      enumerable: true,
      configurable: true,
    });
  }
}
