import { type ActionKind } from '../../graphql/enums.generated.js';
import {
  type Config,
  type DraftAction,
  newKey,
  type PendingAction,
  type Row,
  type SavedAction,
  type SavedList,
  withNewKeys,
} from './draft-action.js';
import { kindOf } from './kinds/index.js';
import { renameReferences, withoutMended } from './references.js';
import { type NamedWait } from './values/suggestions.js';

/** The actions as they are edited, and as they were when they were last read or saved. */
export interface Draft {
  actions: readonly DraftAction[];
  /** The JSON of `payloadOf`, for comparison with the draft. */
  saved: string;
  /** The JSON of the actions from the service, to detect changes by other users. */
  base: string;
  /** The version of `base`, sent on save. */
  baseVersion: string;
  /** Whether this tab keeps the draft: the actions of a template that the service cannot store yet. */
  inTab: boolean;
}

/** The possible edits of a draft. */
export type Edit =
  | { type: 'load'; list: SavedList }
  | { type: 'saved'; sent: readonly SavedAction[]; list: SavedList }
  | { type: 'add'; kind: ActionKind; key: string }
  | { type: 'remove' | 'duplicate'; key: string }
  | { type: 'restore'; action: DraftAction; index: number }
  | { type: 'move'; key: string; by: 1 | -1 }
  | { type: 'rename'; key: string; name: string }
  | { type: 'follow'; from: string; to: string }
  | { type: 'text'; key: string; field: string; text: string }
  | { type: 'rows'; key: string; field: string; rows: readonly Row[] }
  | { type: 'faults'; faults: Readonly<Record<string, Readonly<Record<string, string>>>> };

/** The draft of unchanged actions. */
export function draftOf({ actions, actionsVersion }: SavedList): Draft {
  const drafts = actions.map(begun);
  const saved = JSON.stringify(payloadOf(drafts));
  return { actions: drafts, saved, base: JSON.stringify(plain(actions)), baseVersion: actionsVersion, inTab: false };
}

/** The draft of actions that were never saved, because something in them is missing: that is marked as a fault. */
export function pendingDraft(saved: SavedList, pending: readonly PendingAction[]): Draft {
  const actions = pending.map(({ needs, values, ...action }) => {
    const draft = { ...begun(action), needs };
    return values === undefined ? draft : { ...draft, values: withNewKeys(values) };
  });
  const faults = faultsOf(actions);
  const marked = actions.map((action) => ({ ...action, faults: faults[action.key] ?? {} }));
  return { ...draftOf(saved), actions: marked, inTab: true };
}

/** The actions as a tab keeps them: also with values that cannot be sent yet. */
export function pendingOf({ actions }: Draft): PendingAction[] {
  return actions.map(({ name, kind, original, values, needs }) => ({ name, kind, config: original, values, needs }));
}

function begun({ name, kind, config }: SavedAction): DraftAction {
  return { key: newKey(), name, kind, values: kindOf(kind).read(config), original: config, faults: {} };
}

/** The actions as they are sent to the service; values that a form cannot parse are left out. */
export function payloadOf(actions: readonly DraftAction[]): SavedAction[] {
  return actions.map(({ name, kind, values, original }) => {
    const { keys, write } = kindOf(kind);
    const others = Object.fromEntries(Object.entries(original).filter(([key]) => !keys.includes(key)));
    return { name, kind, config: { ...others, ...(write(values).config as Record<string, unknown>) } };
  });
}

/** The faults that are detected without the service, by key of the action and field. */
export function faultsOf(actions: readonly DraftAction[]): Record<string, Readonly<Record<string, string>>> {
  const found = actions.map(({ key, kind, values }) => [key, kindOf(kind).write(values).faults] as const);
  return Object.fromEntries(found.filter(([, faults]) => Object.keys(faults).length > 0));
}

/** The actions that may wait for something outside, with what they have for others. */
export function waitsOf({ actions }: Pick<Draft, 'actions'>): NamedWait[] {
  return actions.flatMap(({ name, kind, values }) => {
    const part = kindOf(kind).waitPart?.(values);
    return part === undefined || name === '' ? [] : [{ name, part }];
  });
}

/** Whether the draft has changes, or values that cannot be saved. */
export function isDirty({ actions, saved }: Draft): boolean {
  return JSON.stringify(payloadOf(actions)) !== saved || Object.keys(faultsOf(actions)).length > 0;
}

/** The actions in a comparable form: only name, kind and config. */
export function plain(actions: readonly SavedAction[]): SavedAction[] {
  return actions.map(({ name, kind, config }) => ({ name, kind, config }));
}

/** The edits after which an action may read another one that it could not read before. */
const MAY_MEND_OTHERS: ReadonlySet<Edit['type']> = new Set(['remove', 'restore', 'move', 'rename', 'follow']);

/** The draft after an edit. */
export function edit(draft: Draft, change: Edit): Draft {
  if (change.type === 'load') return draftOf(change.list);
  if (change.type !== 'saved') {
    const actions = edited(draft.actions, change);
    return { ...draft, actions: MAY_MEND_OTHERS.has(change.type) ? withoutMended(actions, draft.actions) : actions };
  }
  const actions = draft.actions.map((action) => ({ ...action, faults: {}, needs: undefined }));
  const { actions: base, actionsVersion: baseVersion } = change.list;
  return { actions, saved: JSON.stringify(change.sent), base: JSON.stringify(plain(base)), baseVersion, inTab: false };
}

function edited(
  actions: readonly DraftAction[],
  change: Exclude<Edit, { type: 'load' | 'saved' }>,
): readonly DraftAction[] {
  switch (change.type) {
    case 'add':
      return [...actions, added(actions, change.kind, change.key)];
    case 'remove':
      return actions.filter(({ key }) => key !== change.key);
    case 'restore':
      return actions.toSpliced(change.index, 0, change.action);
    case 'duplicate':
      return actions.flatMap((action) => (action.key === change.key ? [action, copied(action, actions)] : [action]));
    case 'move':
      return moved(actions, change.key, change.by);
    case 'follow':
      return actions.map((action) => renameReferences(action, change.from, change.to));
    case 'faults':
      return actions.map((action) => ({ ...action, faults: change.faults[action.key] ?? {} }));
    default:
      return actions.map((action) => (action.key === change.key ? changed(action, change) : action));
  }
}

function changed(action: DraftAction, change: Extract<Edit, { type: 'rename' | 'text' | 'rows' }>): DraftAction {
  if (change.type === 'rename') return { ...action, name: change.name, faults: without(action.faults, 'name') };
  const { texts, rows } = action.values;
  const field = change.field.replace(/_(?:as|amount|unit)$/, '');
  const values =
    change.type === 'text'
      ? { rows, texts: { ...texts, [change.field]: change.text } }
      : { texts, rows: { ...rows, [change.field]: change.rows } };
  return { ...action, values, faults: without(action.faults, `config.${field}`) };
}

/** A fault is shown until its field is changed. */
function without(faults: DraftAction['faults'], field: string): DraftAction['faults'] {
  return Object.fromEntries(Object.entries(faults).filter(([at]) => at !== field && !at.startsWith(`${field}.`)));
}

function added(actions: readonly DraftAction[], kind: ActionKind, key: string): DraftAction {
  const { name, read } = kindOf(kind);
  const original: Config = {};
  return { key, kind, name: freeName(name, actions), values: read(original), original, faults: {} };
}

function copied(action: DraftAction, actions: readonly DraftAction[]): DraftAction {
  const values = withNewKeys(action.values);
  return { ...action, key: newKey(), name: freeName(action.name, actions), values, faults: {} };
}

/** `request`, `request 2`, `request 3`, … */
function freeName(name: string, actions: readonly DraftAction[]): string {
  const taken = new Set(actions.map((action) => action.name));
  const stem = name.replace(/ \d+$/, '');
  for (let number = 2; taken.has(name); number += 1) name = `${stem} ${number}`;
  return name;
}

function moved(actions: readonly DraftAction[], key: string, by: 1 | -1): readonly DraftAction[] {
  const from = actions.findIndex((action) => action.key === key);
  const to = from + by;
  if (to < 0 || to >= actions.length) return actions;
  const after = [...actions];
  [after[from], after[to]] = [after[to]!, after[from]!];
  return after;
}
