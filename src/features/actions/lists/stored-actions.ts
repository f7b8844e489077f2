import { endOfString, endOfValue } from '../../../platform/json/json-depth.js';
import { NeededJson } from '../../../platform/json/json-text.js';
import { type ActionKind } from '../action-kind.js';
import { type Action } from '../action.entity.js';

const COMMA = 0x2c;
const OPENING_BRACE = 0x7b;

/** An action of a stored list, whose config is still a text. */
export interface StoredAction {
  name: string;
  kind: ActionKind;
  config: NeededJson;
}

/**
 * The actions in the text of a list, which `JSON.stringify` wrote. Their configs are found, but not parsed: a megabyte of
 * small objects parses in 30 ms, and takes twenty megabytes.
 */
export function storedActions(text: string): StoredAction[] {
  const actions: StoredAction[] = [];
  // After `[`, and then after each comma.
  for (let at = 1; text.charCodeAt(at) === OPENING_BRACE; at += 1) {
    const members = new Map<string, string>();
    // At `{`, and then at each comma.
    do {
      const quote = endOfString(text, at + 2);
      const end = endOfValue(text, quote + 2);
      members.set(text.slice(at + 2, quote), text.slice(quote + 2, end));
      at = end;
    } while (text.charCodeAt(at) === COMMA);
    at += 1;
    const valueOf = (name: string) => JSON.parse(members.get(name)!) as string;
    const config = new NeededJson(members.get('config')!);
    actions.push({ name: valueOf('name'), kind: valueOf('kind') as ActionKind, config });
  }
  return actions;
}

/** An action of a long list. Its config is parsed whenever it is read: so only what is in use takes the memory. */
export class LongAction implements Action {
  readonly name: string;
  readonly kind: ActionKind;
  readonly #config: NeededJson;

  constructor({ name, kind, config }: StoredAction) {
    this.name = name;
    this.kind = kind;
    this.#config = config;
  }

  get config(): Action['config'] {
    return this.#config.toJSON() as Action['config'];
  }

  /** The length of the config as JSON. */
  get length(): number {
    return this.#config.length;
  }
}
