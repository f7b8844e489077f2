import { type Attacker } from './attacker.js';

/** The load of one account on a service that another account uses too. */
export interface Attack {
  /** The name in the table and in the tests. */
  name: string;
  /** The number of concurrent strokes; a lane starts its next one when its last has ended. */
  lanes: number;
  /** The minimum time between two strokes of a lane, in milliseconds. */
  everyMs?: number;
  /** Creates what the strokes need, over the public API. @returns one stroke of a lane. */
  begin(attacker: Attacker): Promise<(lane: number) => Promise<unknown>>;
}

/** Keeps all lanes of an attack busy for a time. A stroke that fails or hangs is ignored. */
export async function strike(
  { lanes, everyMs = 0 }: Attack,
  stroke: (lane: number) => Promise<unknown>,
  milliseconds: number,
): Promise<void> {
  const end = performance.now() + milliseconds;
  const over = new Promise<void>((resolve) => setTimeout(resolve, milliseconds));
  const work = async (lane: number): Promise<void> => {
    while (performance.now() < end) {
      const pause = new Promise((resolve) => setTimeout(resolve, everyMs));
      await Promise.race([stroke(lane).catch(() => undefined), over]);
      // At least one turn of the event loop: a refused connection must not block this process.
      await Promise.race([pause, over]);
    }
  };
  await Promise.all(Array.from({ length: lanes }, (_, lane) => work(lane)));
}
