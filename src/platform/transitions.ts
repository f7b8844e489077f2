/** A transition of a status. Null in `from` stands for a row that does not exist yet. */
export interface Transition<Status extends string> {
  from: readonly (Status | null)[];
  to: readonly Status[];
}

/** The allowed transitions of a status by their causes; `what` says what happened, for the reference. */
export type Transitions<Status extends string> = Readonly<Record<string, Transition<Status> & { what: string }>>;

/** The states that some transition leaves. All others are final. */
export function openStates<Status extends string>(transitions: Transitions<Status>): ReadonlySet<Status> {
  return new Set(Object.values(transitions).flatMap(({ from }) => from.filter((status) => status !== null)));
}

/** SQL: a list of states, for `IN (…)`. */
export function sqlStates<Status extends string>(states: Iterable<Status>): string {
  return Array.from(states, (status) => `'${status}'`).join(', ');
}
