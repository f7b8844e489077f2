/** The pages of what events are about, by the prefix of its id. */
const PAGES: Readonly<Record<string, string>> = {
  wf: '/workflows',
  run: '/runs',
  trg: '/triggers',
  int: '/integrations',
};

/** Where the dashboard shows what an event is about: a wait with its run. Undefined if that is deleted. */
export function pageOfEvent(type: string, data: unknown): { to: string; id: string } | undefined {
  if (type.endsWith('.deleted')) return undefined;
  const { id, run_id: run } = (data ?? {}) as { id?: string; run_id?: string };
  const shown = type.startsWith('wait.') ? run : id;
  const page = PAGES[shown?.split('_', 1)[0] ?? ''];
  return shown === undefined || page === undefined ? undefined : { to: `${page}/${shown}`, id: shown };
}
