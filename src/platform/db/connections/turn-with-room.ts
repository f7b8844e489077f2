import { type Answer } from '../../admission/answers.js';
import { type Cost, type Turn, type Turns } from '../../admission/turns.js';
import { besideTransaction } from '../transaction-context.js';

/** Waits for memory without holding a connection, and checks again after the turn has come. */
export async function turnWithRoom(turns: Turns, cost: Cost, answer: Answer | undefined): Promise<Turn> {
  for (;;) {
    if (answer?.hasRoom === false) await answer.room();
    const turn = await besideTransaction(() => turns.take(cost));
    if (answer?.hasRoom !== false) return turn;
    turn.leave();
  }
}

/**
 * The turn of a statement on the connection of a unit of work. It waits for no memory, because a connection waits with it:
 * what it reads is counted, and too much fails the unit.
 */
export async function placeIn(turns: Turns, cost: Cost): Promise<Turn | undefined> {
  return cost === 'expensive' ? turns.take('place') : undefined;
}
