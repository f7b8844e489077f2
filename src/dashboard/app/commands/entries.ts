import { minuteOf } from '../../ui/values/date-words.js';
import { inWords } from '../../ui/in-words.js';
import { NAVIGATION } from '../navigation.js';
import { type PaletteRunsQuery, type PaletteSearchQuery, type RunOfPaletteFragment } from './palette.generated.js';
import { type Icon } from '../../ui/icons/icon.js';
import { IconActivity, IconKeyboard, IconPlug, IconPlus, IconRoute } from '../../ui/icons/icons.js';

/** One row of the palette. */
export interface Entry {
  /** Unique in the palette. */
  value: string;
  label: string;
  /** A remark at the end of the row. */
  hint?: string;
  icon: Icon;
  act: Act;
}

/** What choosing an entry does: it opens a page, one outside the dashboard, or a dialog. */
export type Act = { to: string; isOutside?: boolean } | { dialog: 'create-workflow' | 'shortcuts' };

/** Entries under one heading. */
export interface EntryGroup {
  title: string;
  entries: readonly Entry[];
}

const MAX_RUNS = 5;

const COMMANDS: readonly Entry[] = [
  {
    value: 'create-workflow',
    label: 'Create workflow',
    icon: IconPlus,
    act: { dialog: 'create-workflow' },
  },
  { value: 'connect', label: 'Connect an application', icon: IconPlug, act: { to: '/integrations/new' } },
  {
    value: 'shortcuts',
    label: 'Keyboard shortcuts',
    hint: '?',
    icon: IconKeyboard,
    act: { dialog: 'shortcuts' },
  },
];

const PAGES: readonly Entry[] = NAVIGATION.flatMap(({ title, items }) =>
  items.map(({ to, label, icon, key, isOutside = false }): Entry => ({
    value: `page ${to}`,
    label: title === 'Settings' ? `${title}: ${label}` : label,
    hint: `G ${key.toUpperCase()}`,
    icon,
    act: { to, isOutside },
  })),
);

/** The pages of things by the prefix of their ids. */
const BY_ID: Readonly<Record<string, string>> = {
  wf: '/workflows/',
  run: '/runs/',
  trg: '/triggers/',
  int: '/integrations/',
};

/** The rows for a text; `found` is what the service found by it, or by an earlier text while `isSearching`. */
export function entriesFor(
  text: string,
  { found, isSearching, newest }: { found?: PaletteSearchQuery; isSearching: boolean; newest?: PaletteRunsQuery },
): EntryGroup[] {
  const wanted = text.trim().toLowerCase();
  const matching = (entries: readonly Entry[]) => entries.filter(({ label }) => label.toLowerCase().includes(wanted));
  // Enter must not open a row that only an earlier text has found.
  const still = isSearching ? matching : (entries: readonly Entry[]) => entries;
  const named = byId(text.trim());
  /** Without the one that the text names by its id: it is the first row already. */
  const others = (entries: readonly Entry[]) => entries.filter(({ value }) => value !== named[0]?.value);
  const groups: EntryGroup[] = [
    { title: 'By id', entries: named },
    {
      title: 'Workflows',
      entries: others(still((found?.workflows.items ?? []).map(ofWorkflow))),
    },
    {
      title: 'Connections',
      entries: others(still((found?.integrations.items ?? []).map(ofConnection))),
    },
    { title: 'Commands', entries: matching(COMMANDS) },
    { title: 'Pages', entries: matching(PAGES) },
    {
      title: 'Runs',
      entries: others(
        withoutDoubles([
          ...matching((newest?.runs.items ?? []).map(ofRun)),
          ...still((found?.runs.items ?? []).map(ofRun)),
        ]),
      ).slice(0, MAX_RUNS),
    },
  ];
  return groups.filter(({ entries }) => entries.length > 0);
}

function ofWorkflow({ id, name, status }: PaletteSearchQuery['workflows']['items'][number]): Entry {
  return {
    value: id,
    label: name,
    hint: inWords(status.toLowerCase()),
    icon: IconRoute,
    act: { to: `/workflows/${id}` },
  };
}

function ofConnection({ id, name, type }: PaletteSearchQuery['integrations']['items'][number]): Entry {
  return { value: id, label: name, hint: type, icon: IconPlug, act: { to: `/integrations/${id}` } };
}

function ofRun({ id, status, isTest, createdAt, workflow }: RunOfPaletteFragment): Entry {
  const name = workflow?.name ?? 'Deleted workflow';
  return {
    value: id,
    label: `${name} · ${inWords(status.toLowerCase())}${isTest ? ' · test' : ''}`,
    hint: minuteOf(new Date(createdAt)),
    icon: IconActivity,
    act: { to: `/runs/${id}` },
  };
}

function withoutDoubles(entries: readonly Entry[]): Entry[] {
  return [...new Map(entries.map((entry) => [entry.value, entry])).values()];
}

function byId(text: string): Entry[] {
  const [, prefix = ''] = /^([a-z]+)_[0-9a-z]{26}$/.exec(text) ?? [];
  const page = Object.hasOwn(BY_ID, prefix) ? BY_ID[prefix] : undefined;
  if (page === undefined) return [];
  return [{ value: text, label: `Open ${text}`, icon: IconActivity, act: { to: `${page}${text}` } }];
}
