/** Events grouped by the prefix of their names. */
export interface EventGroup {
  /** The part before the dot: `run` of `run.succeeded`. */
  prefix: string;
  title: string;
  events: readonly string[];
}

const TITLES: Readonly<Record<string, string>> = {
  run: 'Runs',
  wait: 'Waits',
  workflow: 'Workflows',
  trigger: 'Triggers',
  integration: 'Connections',
};

/** The service's events in groups, in its order. */
export function groupEvents(events: readonly string[]): EventGroup[] {
  const groups = Object.groupBy(events, (event) => event.split('.', 1)[0]!);
  return Object.entries(groups).map(([prefix, members = []]) => ({
    prefix,
    title: TITLES[prefix] ?? prefix,
    events: members,
  }));
}

/** Whether a webhook of one workflow can receive an event: connections belong to no workflow. */
export function isOfWorkflows(event: string): boolean {
  return !event.startsWith('integration.');
}
