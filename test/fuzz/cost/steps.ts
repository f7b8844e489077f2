/** Counts what is read of a value, at any depth: steps of a walk over it, whatever the clock says. */
export class Steps {
  count = 0;
  private readonly wrapped = new WeakMap<object, object>();

  /** The same value; each read of a property counts. The same object is the same each time. */
  of<T>(value: T): T {
    if (typeof value !== 'object' || value === null) return value;
    let proxy = this.wrapped.get(value);
    if (proxy === undefined) {
      proxy = new Proxy(value, {
        get: (target, key) => {
          this.count += 1;
          return this.of(Reflect.get(target, key));
        },
        ownKeys: (target) => {
          const keys = Reflect.ownKeys(target);
          this.count += keys.length;
          return keys;
        },
      });
      this.wrapped.set(value, proxy);
    }
    return proxy as T;
  }
}
