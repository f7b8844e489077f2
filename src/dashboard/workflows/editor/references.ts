import { type DraftAction, type Values } from './draft-action.js';

/** The number of placeholders in the action that refer to another action by this name. */
export function countReferences({ kind, values }: DraftAction, name: string): number {
  const inTexts = textsOf(values).reduce((sum, text) => sum + [...text.matchAll(placeholderOf(name))].length, 0);
  return inTexts + (kind === 'CONDITION' && pathOf(name).test(values.texts.path ?? '') ? 1 : 0);
}

/** The action with every reference to the one name replaced by the other. */
export function renameReferences(action: DraftAction, from: string, to: string): DraftAction {
  const { texts, rows } = action.values;
  const rename = (text: string): string => text.replace(placeholderOf(from), (_, head: string) => `${head}${to}`);
  const renamed: Values = {
    texts: mapValues(texts, rename),
    rows: mapValues(rows, (list) => list.map((row) => ({ ...row, value: rename(row.value) }))),
  };
  if (action.kind !== 'CONDITION') return { ...action, values: renamed };
  const path = (texts.path ?? '').replace(pathOf(from), (_, head: string) => `${head}${to}`);
  return { ...action, values: { ...renamed, texts: { ...renamed.texts, path } } };
}

/** The actions without faults that an edit of others may have mended: of shared names, and of fields that read actions. */
export function withoutMended(actions: readonly DraftAction[], before: readonly DraftAction[]): readonly DraftAction[] {
  if (actions === before) return before;
  const isShared = (name: string): boolean => actions.filter((action) => action.name === name).length > 1;
  return actions.map((action) => {
    const stays = ([field, message]: [string, string]): boolean =>
      field === 'name'
        ? !message.includes('unique') || isShared(action.name)
        : !readsActions(action, field.replace(/^config\./, ''));
    return { ...action, faults: Object.fromEntries(Object.entries(action.faults).filter(stays)) };
  });
}

/** `field` is one of the config, or a place in it: `headers.x-token`. */
function readsActions({ kind, values: { texts, rows } }: DraftAction, field: string): boolean {
  const key = field.split('.', 1)[0]!;
  if (kind === 'CONDITION' && key === 'path') return /^(?:steps|waits)\./.test(texts.path ?? '');
  const found = [texts[field], texts[key], ...(rows[key] ?? []).map(({ value }) => value)];
  return found.some((text) => text !== undefined && /\{\{\s*(?:steps|waits)\./.test(text));
}

function textsOf({ texts, rows }: Values): string[] {
  return [...Object.values(texts), ...Object.values(rows).flatMap((list) => list.map(({ value }) => value))];
}

/** `\{{` is no placeholder. */
function placeholderOf(name: string): RegExp {
  return new RegExp(`((?<!\\\\)\\{\\{\\s*(?:steps|waits)\\.)${escaped(name)}(?=\\s*\\}\\}|\\.)`, 'g');
}

function pathOf(name: string): RegExp {
  return new RegExp(`^((?:steps|waits)\\.)${escaped(name)}(?=\\.|$)`);
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

function mapValues<T>(values: Readonly<Record<string, T>>, change: (value: T) => T): Record<string, T> {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, change(value)]));
}
