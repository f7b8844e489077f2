import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../../platform/package-root.js';
import { type Route } from '../routes.js';

/** A JSON object with REST's names. */
export type ExampleObject = Readonly<Record<string, unknown>>;

/** The example of one operation, from the file `<Operation>.example.json` beside its document. */
interface OperationExample {
  /** The request body. */
  request?: ExampleObject;
  /** Fields of the response that differ from the example of its type. */
  response?: ExampleObject;
}

const FOLDER = join(packageRoot, 'schema/rest');

/** Examples beside the documents: of operations, and of types in each feature's `examples.json`. */
export class Examples {
  /** The complete example of each type, by name. */
  readonly types: ReadonlyMap<string, ExampleObject> = new Map(
    globSync('*/examples.json', { cwd: FOLDER }).flatMap((file) =>
      Object.entries(readJson(file) as Readonly<Record<string, ExampleObject>>),
    ),
  );

  ofOperation({ feature, operation }: Route): OperationExample {
    const file = join(feature, `${operation}.example.json`);
    return existsSync(join(FOLDER, file)) ? (readJson(file) as OperationExample) : {};
  }

  /**
   * The id in `/webhooks/{id}` or `/deliveries/{delivery_id}`, taken from the example of the type that the noun names.
   */
  ofPathParameter(path: string, name: string): unknown {
    const noun = path.split(`/{${name}}`, 1)[0]!.split('/').at(-1)!;
    const word = noun.replace(/ies$/, 'y').replace(/s$/, '').replaceAll('_', '');
    const names = [...this.types.keys()];
    const is = (test: (type: string) => boolean) => names.find((type) => test(type.toLowerCase()));
    const type =
      is((type) => type === word) ?? is((type) => type.endsWith(word)) ?? is((type) => type.startsWith(word));
    return type === undefined ? undefined : this.types.get(type)!.id;
  }
}

function readJson(file: string): unknown {
  return JSON.parse(readFileSync(join(FOLDER, file), 'utf8'));
}
