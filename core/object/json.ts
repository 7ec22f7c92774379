/**
 * What content may be: JSON values, with bigint for integers beyond 2^53.
 *
 * @module
 */

/** JSON; bigint for integers beyond 2^53. Objects come back plain, `__proto__` an own property. */
export type Json =
  | null
  | boolean
  | number
  | bigint
  | string
  | readonly Json[]
  | { readonly [key: string]: Json };

/**
 * What may be stored: any interface or literal made of JSON values; not Date, Map, functions or
 * class instances. A parameter typed `T & Storable<T>` refuses the rest at compile time.
 */
export type Storable<T> = [T] extends [Json] ? T
  : T extends null | boolean | number | bigint | string ? T
  // deno-lint-ignore ban-types -- the only type that every callable extends
  : T extends Function | symbol | Date ? never
  : T extends object ? { readonly [K in keyof T]: Storable<T[K]> }
  : T extends undefined ? undefined
  : never;
