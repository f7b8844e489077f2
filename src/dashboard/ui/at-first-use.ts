/** Code that is no part of the first load. */
export interface LaterCode<T> {
  /** Loads it, once. */
  load: () => Promise<T>;
  /** Waits for the first load that succeeds. */
  loaded: Promise<T>;
}

const waiting = new Set<() => Promise<unknown>>();
let used = false;

/** Code that loads at the user's first key or pointer, or when it is needed before. */
export function atFirstUse<T>(fetchCode: () => Promise<T>): LaterCode<T> {
  let arrived!: (code: T) => void;
  const loaded = new Promise<T>((resolve) => (arrived = resolve));
  let loading: Promise<T> | undefined;
  const load = async (): Promise<T> => {
    try {
      const code = await (loading ??= fetchCode());
      arrived(code);
      return code;
    } catch (error) {
      // The next call tries again.
      loading = undefined;
      throw error;
    }
  };
  if (used) begin(load);
  else waiting.add(load);
  return { load, loaded };
}

function begin(load: () => Promise<unknown>): void {
  load().catch(() => undefined);
}

function onUse(): void {
  used = true;
  waiting.forEach(begin);
  waiting.clear();
}

for (const event of ['pointerdown', 'keydown'])
  window.addEventListener(event, onUse, { once: true, capture: true, passive: true });
