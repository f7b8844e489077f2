import { createLogger } from '../../src/platform/logging/logger.js';
import { errorFields } from '../../src/platform/logging/logger.js';
import { OnceASecond } from '../../src/platform/logging/once-a-second.js';
import { until } from '../support/until.js';

describe('lines of the same cause', () => {
  const lines: any[] = [];
  const logger = createLogger('info', { write: (line: string) => void lines.push(JSON.parse(line)) });

  it('are one a second, with the number of the others', async () => {
    const log = new OnceASecond(logger);
    for (let post = 0; post < 1_000; post += 1) log.log('warn', 'away', { code: 'unavailable' }, 'post refused');
    log.log('info', 'gone', { code: 'not_found' }, 'post refused');
    expect(lines.map(({ code, count }) => [code, count])).toEqual([
      ['unavailable', undefined],
      ['not_found', undefined],
    ]);
    await until(() => lines.length === 3);
    expect(lines[2]).toMatchObject({ level: 'warn', code: 'unavailable', count: 999, msg: 'post refused' });
    log.log('warn', 'away', { code: 'unavailable' }, 'post refused');
    expect(lines).toHaveLength(4);
  });
});

describe('the fields of an error', () => {
  it('are those of any object with a message', () => {
    expect(errorFields({ message: 'broken', queue: 'runs', code: '57P01' })).toEqual({
      error: 'broken',
      error_code: '57P01',
    });
    expect([errorFields(undefined), errorFields('text'), errorFields({})]).toEqual([
      { error: 'undefined' },
      { error: 'string' },
      { error: 'object' },
    ]);
  });
});
