import assert from "node:assert/strict";
import { foundRegister } from "./registrar.ts";

/** Until the end of the scope, these globals are set, or gone where undefined. */
function globals(values: { readonly [name: string]: unknown }): Disposable {
  const before = Object.keys(values).map((name) =>
    [name, Object.getOwnPropertyDescriptor(globalThis, name)] as const
  );
  for (const [name, value] of Object.entries(values)) {
    Object.defineProperty(globalThis, name, { value, configurable: true });
  }
  return {
    [Symbol.dispose]() {
      for (const [name, old] of before) {
        if (old === undefined) Reflect.deleteProperty(globalThis, name);
        else Object.defineProperty(globalThis, name, old);
      }
    },
  };
}

Deno.test("foundRegister() is Deno.test where there is no global it or test", () => {
  assert.equal(foundRegister(), Deno.test);
});

Deno.test("foundRegister() prefers the global it, then test", () => {
  const [it, test] = [() => {}, () => {}];
  {
    using _ = globals({ it, test });
    assert.equal(foundRegister(), it);
  }
  {
    using _ = globals({ it: "no function", test });
    assert.equal(foundRegister(), test);
  }
  assert.equal(foundRegister(), Deno.test);
});

Deno.test("foundRegister() without any of them is a TypeError", () => {
  const find = () => {
    using _ = globals({ Deno: undefined });
    return foundRegister();
  };
  assert.throws(find, { name: "TypeError", message: /register must be given/ });
});
