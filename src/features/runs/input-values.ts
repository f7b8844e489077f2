import { currentWork } from '../../platform/admission/work.js';
import { validationError } from '../../platform/errors.js';
import { jsonSize } from '../../platform/json/json-size.js';
import { readerOf } from '../actions/placeholders/output-value.js';
import { type Path } from '../actions/placeholders/path.js';
import { LargeJson } from '../actions/placeholders/json-of.js';
import { RenderError } from '../actions/placeholders/render-error.js';
import { type TextName, textNameOf, TRIGGER_HEADERS, TRIGGER_QUERY } from '../actions/reads.js';
import { type Run } from './run.entity.js';
import { type Step } from './step.entity.js';

/** The maximum bytes of JSON of all inputs that one operation asks for. */
const MAX_BYTES_IN_ALL = 8 * 1_048_576;
/** The maximum bytes parsed for one operation. No single run has more. */
const MAX_BYTES_PARSED = 16 * 1_048_576;
/** Values of more JSON than this are dropped before the next step, in characters. */
const KEPT_SIZE = 1_048_576;

/** Bounds what one operation parses and renders. @throws AppError `validation_error` */
export class InputBudget {
  private parsed = 0;
  private rendered = 0;

  /** Counts the bytes of texts before they are parsed. */
  parse(bytes: number): void {
    this.parsed += bytes;
    if (this.parsed > MAX_BYTES_PARSED) throw tooMuch();
  }

  /** Counts the bytes of rendered configs. */
  render(bytes: number): void {
    this.rendered += bytes;
    if (this.rendered > MAX_BYTES_IN_ALL) throw tooMuch();
  }
}

/** The JSON texts of a run with those of some of its steps; only succeeded ones have an output. */
export function textsOf(run: Run, steps: readonly Step[]): Map<TextName, string> {
  const texts = new Map<TextName, string>([
    [null, run.inputText ?? 'null'],
    [TRIGGER_HEADERS, run.triggerHeadersText ?? 'null'],
    [TRIGGER_QUERY, run.triggerQueryText ?? 'null'],
  ]);
  for (const { name, status, outputText } of steps) if (status === 'succeeded') texts.set(name, outputText ?? 'null');
  return texts;
}

/** The values of one text at the named paths. */
interface Kept {
  /** A function that returns the value, or throws its RenderError. */
  values: ReadonlyMap<string, () => unknown>;
  size: number;
  release: () => void;
}

/**
 * The values at some paths of a run's texts. One text is parsed at a time, after `piece`, and only the values at the
 * paths are kept. What is in memory counts towards the response of the current request.
 */
export class InputValues {
  private readonly kept = new Map<TextName, Kept>();
  private readonly paths: ReadonlyMap<TextName | undefined, readonly Path[]>;

  constructor(
    private readonly texts: ReadonlyMap<TextName, string>,
    paths: readonly Path[],
    private readonly budget: InputBudget,
    private readonly piece: (bytes: number) => Promise<void>,
  ) {
    this.paths = Map.groupBy(paths, textNameOf);
  }

  /** Parses the texts that are not known. @returns the size of their values. @throws AppError `validation_error` */
  async load(names: readonly TextName[]): Promise<number> {
    if (this.size > KEPT_SIZE) this.leave();
    for (const name of new Set(names)) {
      const text = this.texts.get(name);
      if (text === undefined || this.kept.has(name)) continue;
      this.budget.parse(text.length);
      await this.piece(text.length);
      this.kept.set(name, this.parse(name, text));
      if (this.size > MAX_BYTES_IN_ALL) throw tooMuch();
    }
    return names.reduce((sum, name) => sum + (this.kept.get(name)?.size ?? 0), 0);
  }

  /** The value at a path of a loaded text. @throws RenderError for one that was cut. */
  at(path: Path): unknown {
    return this.kept.get(textNameOf(path)!)?.values.get(path.join('.'))?.();
  }

  /** Drops all values. */
  leave(): void {
    for (const { release } of this.kept.values()) release();
    this.kept.clear();
  }

  private get size(): number {
    return [...this.kept.values()].reduce((sum, one) => sum + one.size, 0);
  }

  private parse(name: TextName, text: string): Kept {
    const { answer } = currentWork();
    const release = answer?.holdParsed(text.length);
    try {
      const paths = this.paths.get(name) ?? [];
      const read = readerOf(name, text, paths);
      const values = new Map(paths.map((path) => [path.join('.'), valueAt(read, path)]));
      const size = [...values.values()].reduce((sum, { size: of }) => sum + of, 0);
      return {
        values: new Map([...values].map(([path, { value }]) => [path, value])),
        size,
        release: answer?.holdParsed(Math.min(size, text.length)) ?? NOTHING,
      };
    } finally {
      release?.();
    }
  }
}

function valueAt(read: (path: Path) => unknown, path: Path): { value: () => unknown; size: number } {
  try {
    const value = read(path);
    const size = value instanceof LargeJson ? value.text.length : jsonSize(value, MAX_BYTES_IN_ALL);
    return { value: () => value, size };
  } catch (error) {
    if (!(error instanceof RenderError)) throw error;
    const fail = () => {
      throw error;
    };
    return { value: fail, size: 0 };
  }
}

function tooMuch(): Error {
  return validationError({ field: 'input', message: 'is too much for one operation: ask for those of fewer runs' });
}

const NOTHING = (): void => undefined;
