import { type Attacker } from './attacker.js';

/** What one account does to a service that another one uses too. */
export interface Attack {
  /** What happens, as the table and the tests name it. */
  name: string;
  /** Strokes under way at once; further ones begin as these end. */
  lanes: number;
  /** The least time from one stroke of a lane to its next, in milliseconds. */
  everyMs?: number;
  /** Makes what the strokes need, through the doors as a client would. @returns one stroke of a lane. */
  begin(attacker: Attacker): Promise<(lane: number) => Promise<unknown>>;
}

/** Keeps all lanes of an attack busy for a time. A stroke that fails or hangs is the attacker's loss. */
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
      // At least a turn of the loop: a refused connection must not keep this process from anything else.
      await Promise.race([pause, over]);
    }
  };
  await Promise.all(Array.from({ length: lanes }, (_, lane) => work(lane)));
}
