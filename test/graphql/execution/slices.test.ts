import { buildSchema, execute, type ExecutionResult, type GraphQLObjectType, parse } from 'graphql';
import { LongWork } from '../../../src/platform/admission/long-work.js';
import { accountsAtWork } from '../../../src/platform/admission/work.js';
import { runInTransaction } from '../../../src/platform/db/transaction-context.js';
import { LOCKED_PATIENCE_MS, sliceResolvers, Slices, slicesFor } from '../../../src/platform/graphql/slices.js';

const schema = buildSchema(`
  type Query { all: [Item]  strict: [Item!]  one: Item  broken: [Item] }
  type Item { name: String  inner: [Item]  other: Item  fails: String  never: String! }`);

interface Item {
  name: string;
}

/** Completing an object takes a millisecond of this clock. */
let clock = 0;
const items = (count: number, prefix = ''): Item[] =>
  Array.from({ length: count }, (_, index) => ({ name: `${prefix}${index}` }));

beforeAll(() => {
  const fieldsOf = (name: string) => (schema.getType(name) as GraphQLObjectType).getFields();
  const query = fieldsOf('Query');
  query.all!.resolve = () => Promise.resolve(items(100));
  query.strict!.resolve = () => items(20);
  query.one!.resolve = () => items(1)[0];
  query.broken!.resolve = () => [items(1)[0], null, Promise.reject(new Error('no item')), Promise.resolve(items(2)[1])];
  const item = fieldsOf('Item');
  item.name!.resolve = ({ name }: Item) => ((clock += 1), name);
  item.inner!.resolve = ({ name }: Item) => items(3, `${name}.`);
  item.other!.resolve = ({ name }: Item) => Promise.resolve({ name: `${name}'` });
  item.fails!.resolve = ({ name }: Item) => {
    if (name.endsWith('3')) throw new Error(`fails at ${name}`);
    return 'fine';
  };
  item.never!.resolve = ({ name }: Item) => (name.endsWith('7') ? null : name);
  sliceResolvers(schema);
});

const resultOf = async (query: string, slices?: Slices): Promise<ExecutionResult> =>
  execute({ schema, document: parse(query), contextValue: { slices } });

/** Slices on the clock of the test, with the turns that they wait for. */
function slicesOf(turn = (): Promise<void> | undefined => undefined) {
  const turns: number[] = [];
  const slices = new Slices(
    () => {
      turns.push(clock);
      return turn();
    },
    () => clock,
  );
  return { slices, turns };
}

describe('an execution in slices', () => {
  it('takes a turn for each 5 ms of work beyond the first', async () => {
    const { slices, turns } = slicesOf();
    await resultOf('{ all { name } }', slices);
    expect(slices.count).toBe(20);
    expect(turns).toHaveLength(19);
  });

  it('lets the event loop turn between them', async () => {
    let loops = 0;
    const watch = (): void => {
      loops += 1;
      immediate = setImmediate(watch);
    };
    let immediate = setImmediate(watch);
    await resultOf('{ all { name other { name } } }');
    expect(loops).toBeLessThanOrEqual(1);
    await resultOf('{ all { name other { name } } }', slicesOf().slices);
    clearImmediate(immediate);
    expect(loops).toBeGreaterThanOrEqual(30);
  });

  it('takes no turn if all of it fits into one', async () => {
    const { slices, turns } = slicesOf();
    await resultOf('{ one { name inner { name } } }', slices);
    expect([slices.count, turns]).toEqual([1, []]);
  });

  it('goes on when its turn comes, and leaves nothing pending', async () => {
    let next!: () => void;
    const { slices } = slicesOf(() => new Promise((resolve) => (next = resolve)));
    let isDone = false;
    const done = resultOf('{ strict { name } }', slices).then(() => (isDone = true));
    for (let turns = 0; !isDone; turns += 1) {
      expect(turns).toBeLessThan(10);
      next?.();
      await new Promise((resolve) => setImmediate(resolve));
    }
    await done;
    expect(slices.count).toBe(4);
  });

  it.each([
    '{ all { name inner { name other { name } } other { name } } }',
    '{ all { name fails inner { name fails } } }',
    '{ all { name never } strict { never } one { inner { never } } }',
    '{ broken { name } one { name fails other { name } } }',
  ])('has the result of one in one piece: %s', async (query) => {
    const whole = await resultOf(query);
    const { slices } = slicesOf();
    const inSlices = await resultOf(query, slices);
    expect(JSON.stringify(inSlices.data)).toBe(JSON.stringify(whole.data));
    const facts = ({ errors = [] }: ExecutionResult) =>
      errors.map(({ message, path, locations }) => JSON.stringify({ message, path, locations }));
    expect(facts(inSlices).sort()).toEqual(facts(whole).sort());
    expect(slices.count).toBeGreaterThan(0);
  });

  it.each([true, false])(
    'is continued behind a result that an error has made null, unless it is stopped: %s',
    async (isStopped) => {
      const { slices } = slicesOf();
      const result = await resultOf('{ strict { never inner { inner { name } } } }', slices);
      expect(result.data).toEqual({ strict: null });
      if (isStopped) slices.stop();
      const atResult = clock;
      for (let turn = 0; turn < 200; turn += 1) await new Promise((resolve) => setImmediate(resolve));
      expect(clock > atResult).toBe(!isStopped);
    },
  );
});

describe('an execution inside of a transaction', () => {
  it(`waits ${LOCKED_PATIENCE_MS} ms for its turns in all, which are not those of other results; then it rests`, async () => {
    const lanes: string[] = [];
    const long = new LongWork();
    long.turn = async (lane) => {
      lanes.push(lane);
      clock += LOCKED_PATIENCE_MS / 4;
    };
    const inSlices = async () => {
      const slices = slicesFor(long, 'a', () => clock);
      ['a', 'b'].forEach((account) => accountsAtWork.note(account));
      await resultOf('{ all { name } }', slices);
      return [slices.count, lanes.splice(0)];
    };
    expect(await inSlices()).toEqual([20, Array(19).fill('a')]);
    expect(await runInTransaction(inSlices)).toEqual([20, Array(4).fill('a locked')]);
  });
});
